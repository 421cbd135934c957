/**
 * The readable text of HTML.
 *
 * Processes the flat sequence of tokens without a tree or a stack, so nesting of any depth is cheap, and any broken
 * markup has some text.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { extractedText } from "../extractedText.ts"
import { HtmlHead } from "./htmlHead.ts"
import { HtmlBlocks } from "./HtmlBlocks.ts"
import { TextWriter } from "./TextWriter.ts"

/** Elements without readable content. Their content is raw text up to the end tag, so they cannot be nested. */
const HIDDEN: ReadonlySet<string> = new Set(["script", "style", "iframe", "noembed", "noframes"])

/** How the word before is pronounced, which would divide it. */
const PRONUNCIATION: ReadonlySet<string> = new Set(["rp", "rt"])

/** Content for browsers that lack the element, values that are drawn or suggested, and the source of a formula. */
const REPLACED: ReadonlySet<string> = new Set(
  "annotation annotation-xml audio canvas datalist meter noscript progress video".split(" ")
)

/** Hidden elements that must be closed: without an end tag they would hide everything after them. */
const HIDEABLE: ReadonlySet<string> = new Set(
  ("a article aside blockquote button details dialog div dl figure footer form h1 h2 h3 h4 h5 h6 header nav ol pre " +
    "section span table ul").split(" ")
)

/** Elements that XHTML closes by a slash, and that would take everything after them otherwise. */
const CLOSED_BY_SLASH: ReadonlySet<string> = new Set([...HIDDEN, ...REPLACED, "a", "svg", "template", "title"])

const NOT_DISPLAYED = /(?:^|;)\s*display\s*:\s*none/i

const isNotDisplayed = (tag: string, attributes: ReadonlyMap<string, string>): boolean =>
  REPLACED.has(tag) ||
  (HIDEABLE.has(tag) &&
    (attributes.has("hidden") || NOT_DISPLAYED.test(attributes.get("style") ?? "") ||
      (tag === "dialog" && !attributes.has("open"))))

const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
  "hidden style open role class name property itemprop content start colspan rowspan".split(" ")
)

class Reader implements TokenizerCallbacks {
  readonly blocks = new HtmlBlocks()
  readonly head = new HtmlHead()
  readonly #source: string
  readonly #title = new TextWriter()
  #inTitle = false
  #inHidden = false
  #inRuby = false
  #templates = 0
  #drawings = 0
  #tag = ""
  readonly #attributes = new Map<string, string>()
  #attribute = ""
  /** The hidden element, and the number of open elements of its name. */
  #veil = ""
  #veiled = 0

  constructor(source: string) {
    this.#source = source
  }

  get title(): string | null {
    return this.#title.finish() || this.blocks.title
  }

  get #hidden(): boolean {
    return this.#inHidden || this.#templates > 0 || this.#veiled > 0
  }

  #write(text: string): void {
    if (this.#hidden) return
    if (this.#inTitle) return this.#title.write(text)
    this.blocks.write(text)
  }

  #name(start: number, end: number): string {
    return this.#source.slice(start, end).toLowerCase()
  }

  ontext(start: number, end: number): void {
    this.#write(this.#source.slice(start, end))
  }

  ontextentity(codepoint: number): void {
    this.#write(String.fromCodePoint(codepoint))
  }

  onopentagname(start: number, end: number): void {
    const tag = this.#name(start, end)
    this.#tag = tag
    this.#attributes.clear()
    if (this.#veiled > 0 && tag === this.#veil) this.#veiled++
    if (!this.#hidden && !this.#inTitle) this.blocks.open(tag)
    if (HIDDEN.has(tag) || (this.#inRuby && PRONUNCIATION.has(tag))) this.#inHidden = true
    else if (tag === "ruby") this.#inRuby = true
    else if (tag === "template") this.#templates++
    else if (this.#hidden) return
    else if (tag === "svg") this.#drawings++
    // Parts of an SVG have titles, too; the first title of the page counts.
    else if (tag === "title") this.#inTitle = this.#drawings === 0 && this.#title.isEmpty
  }

  onclosetag(start: number, end: number): void {
    this.#close(this.#name(start, end))
  }

  #close(tag: string): void {
    if (this.#veiled > 0 && tag === this.#veil) this.#veiled--
    if (tag === "ruby") this.#inRuby = false
    if (HIDDEN.has(tag) || PRONUNCIATION.has(tag) || tag === "ruby") this.#inHidden = false
    else if (tag === "template") this.#templates = Math.max(0, this.#templates - 1)
    else if (this.#hidden) return
    else if (tag === "svg") this.#drawings = Math.max(0, this.#drawings - 1)
    else if (tag === "title") this.#inTitle = false
    if (!this.#hidden && !this.#inTitle) this.blocks.close(tag)
  }

  onselfclosingtag(): void {
    this.onopentagend()
    if (CLOSED_BY_SLASH.has(this.#tag)) this.#close(this.#tag)
  }

  onopentagend(): void {
    if (this.#hidden) return
    if (this.#tag === "meta") this.head.note(this.#attributes)
    if (!this.#inTitle) this.blocks.attributes(this.#tag, this.#attributes)
    if (!isNotDisplayed(this.#tag, this.#attributes)) return
    this.#veil = this.#tag
    this.#veiled = 1
  }

  onattribname(start: number, end: number): void {
    const name = this.#name(start, end)
    this.#attribute = READ_ATTRIBUTES.has(name) && !this.#attributes.has(name) ? name : ""
    if (this.#attribute !== "") this.#attributes.set(name, "")
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== "") this.#addToAttribute(this.#source.slice(start, end))
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute !== "") this.#addToAttribute(String.fromCodePoint(codepoint))
  }

  #addToAttribute(text: string): void {
    this.#attributes.set(this.#attribute, `${this.#attributes.get(this.#attribute)}${text}`)
  }

  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

export const htmlText = (html: string): Extracted => {
  const reader = new Reader(html)
  const tokenizer = new Tokenizer({ recognizeSelfClosing: true }, reader)
  tokenizer.write(html)
  tokenizer.end()
  const { authors, date } = reader.head
  const text = reader.blocks.finish()
  return extractedText(text, { title: reader.title, authors, date })
}
