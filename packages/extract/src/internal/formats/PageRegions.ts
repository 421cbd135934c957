/**
 * What a page says, apart from what surrounds it on every page of a site: menus, sidebars and footers.
 *
 * Knows only which of these elements are open, not a tree.
 */
import type { TextWriter } from "./TextWriter.ts"

const [MAIN, ARTICLE, MENU, ASIDE] = [1, 2, 4, 8] as const
const CONTENT = MAIN | ARTICLE
const AROUND = MENU | ASIDE

const BY_TAG: ReadonlyMap<string, number> = new Map([
  ["main", MAIN],
  ["article", ARTICLE],
  ["nav", MENU],
  ["aside", ASIDE],
  ["footer", ASIDE]
])

const BY_ROLE: ReadonlyMap<string, number> = new Map([
  ["main", MAIN],
  ["article", ARTICLE],
  ["navigation", MENU],
  ["complementary", ASIDE],
  ["contentinfo", ASIDE]
])

/** DocBook and Texinfo write manuals whose menus are neither elements nor roles. */
const MENU_CLASS = /(?:^|\s)(?:nav(?:header|footer)|nav-panel)(?:\s|$)/

interface Open {
  readonly kind: number
  readonly start: number
  readonly tag: string
  /** The number of open elements of this name. */
  depth: number
}

/** What is nested deeper belongs to the region around it, so that nesting costs nothing. */
const DEEPEST = 10

/** Less may be a slogan, on a page whose content is marked as its menu. */
const MIN_CONTENT = 250

/** Nothing is left out that could be all that the page says. */
const isEnough = (kept: number, omitted: number): boolean => kept >= MIN_CONTENT || kept >= omitted

export class PageRegions {
  readonly #text: TextWriter
  readonly #open: Array<Open> = []
  /** Only those with an end tag: others would be the rest of the page. */
  readonly #regions: Array<{ readonly kind: number; readonly start: number; readonly end: number }> = []

  constructor(text: TextWriter) {
    this.#text = text
  }

  /** Whether a region starts with this element. */
  open(tag: string, role = "", classes = ""): boolean {
    const kind = BY_ROLE.get(role) ?? BY_TAG.get(tag) ?? (MENU_CLASS.test(classes) ? MENU : undefined)
    if (kind === undefined || this.#open.length === DEEPEST) {
      const around = this.#open.findLast((one) => one.tag === tag)
      if (around !== undefined) around.depth++
      return false
    }
    this.#open.push({ kind, start: this.#text.position, tag, depth: 1 })
    return true
  }

  close(tag: string): void {
    const at = this.#open.findLastIndex((one) => one.tag === tag)
    const region = this.#open[at]
    if (region === undefined || --region.depth > 0) return
    this.#open.length = at
    // Within the content, an aside is a remark, and a footer names the author or a source.
    if (region.kind === ASIDE && this.#open.some(({ kind }) => (kind & CONTENT) !== 0)) return
    this.#regions.push({ ...region, end: this.#text.position })
  }

  /** Removes what is not the content. */
  finish(): void {
    if (this.#regions.length === 0) return
    const kinds = new Uint8Array(this.#text.position)
    for (const { end, kind, start } of this.#regions) {
      for (let at = start; at < end; at++) kinds[at]! |= kind
    }
    const isContent = this.#contentOf(kinds)
    this.#text.keep((at) => isContent(kinds[at]!))
  }

  /** The kinds of text that are the content. */
  #contentOf(kinds: Uint8Array): (kind: number) => boolean {
    const length = (isCounted: (kind: number) => boolean) => this.#text.length((at) => isCounted(kinds[at]!))
    const isRest = (kind: number) => (kind & AROUND) === 0
    const isMain = (kind: number) => isRest(kind) && (kind & MAIN) !== 0
    const isArticle = (kind: number) => isRest(kind) && (kind & ARTICLE) !== 0
    const [all, rest, main, articles] = [length(() => true), length(isRest), length(isMain), length(isArticle)]
    if (main > 0 && isEnough(main, all - main)) return isMain
    // Some pages have articles beside their content, such as teasers of others.
    if (articles >= rest - articles && isEnough(articles, all - articles)) return isArticle
    return isEnough(rest, all - rest) ? isRest : () => true
  }
}
