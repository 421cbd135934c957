/**
 * The blocks of HTML as text with the marks of Markdown: headings, items, tables with column headers, preformatted
 * text.
 *
 * Knows only which elements are open, not a tree, so nesting of any depth is cheap.
 */
import { DataTable } from "./DataTable.ts"
import { ListMarks } from "./ListMarks.ts"
import { PageRegions } from "./PageRegions.ts"
import { TextWriter } from "./TextWriter.ts"

const PARAGRAPHS: ReadonlySet<string> = new Set(
  ("p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure hr article aside section header footer main nav " +
    "form fieldset details address").split(" ")
)

const LINES: ReadonlySet<string> = new Set(
  ("div li dt dd tr caption center dialog figcaption hgroup optgroup option search summary legend title body " +
    "textarea").split(" ")
)

/** Elements of old pages that are shown as others. */
const SHOWN_AS: ReadonlyMap<string, string> = new Map([
  ["dir", "ul"],
  ["menu", "ul"],
  ["listing", "pre"],
  ["xmp", "pre"]
])

/** What is drawn apart from the words around it. */
const APART: ReadonlySet<string> = new Set(
  "audio button canvas img input marquee meter mn object progress select svg video".split(" ")
)

const HEADING = /^h[1-6]$/

/** The mark of a heading of the highest level. */
const TOP = "# "

/** A longer heading is a paragraph in large letters. */
const MAX_HEADING = 200

/** The text of a link to the heading that it follows. */
const ANCHOR = /^[¶§#]$/

const WORD = /[\p{L}\p{N}]/u

/** Preformatted text between two positions. */
interface Listing {
  readonly start: number
  readonly end: number
  readonly indent: string
}

interface Marked {
  readonly start: number
  readonly mark: string
}

type Attributes = ReadonlyMap<string, string>

export class HtmlBlocks {
  /** The first heading of the highest level. */
  title: string | null = null
  readonly #text = new TextWriter()
  readonly #regions = new PageRegions(this.#text)
  readonly #lists = new ListMarks()
  #navigation = 0
  #preformatted = 0
  #preformattedFrom = 0
  readonly #listings: Array<Listing> = []
  #heading: Marked | null = null
  #table: DataTable | null = null
  /** The current item while it contains only links. */
  #links: Marked | null = null
  #inLink = false
  #linkFrom = 0
  /** Where the last link with a text ended. */
  #linkTo = 0
  #inTerms = false

  write(text: string): void {
    if (this.#inLink && ANCHOR.test(text)) return
    if (this.#links !== null && !this.#inLink && WORD.test(text)) this.#links = null
    this.#text.write(text)
  }

  open(name: string): void {
    const tag = SHOWN_AS.get(name) ?? name
    this.#break(tag)
    if (tag === "br") this.#text.lineBreak()
    else if (tag === "a") this.#openLink()
    else if (tag === "sup") this.#text.raised = true
    else if (tag === "nav") this.#navigation++
    else if (tag === "pre") this.#openPreformatted()
    else if (tag === "table") this.#openTable()
    else if (tag === "tr") this.#table?.row()
    else if (tag === "td" || tag === "th") this.#openCell(tag)
    else if (tag === "caption") this.#table?.caption()
    else if (tag === "dt") this.#openTerm()
    else if (tag === "dd") this.#openDefinition()
    else if (tag === "li") this.#openItem()
    else if (tag === "ul" || tag === "ol") this.#openList(tag)
    else if (HEADING.test(tag)) this.#openHeading(Number(tag[1]))
  }

  /** The attributes of the element that was just opened. */
  attributes(tag: string, attributes: Attributes): void {
    if (this.#regions.open(tag, attributes.get("role"), attributes.get("class"))) this.#table?.disqualify()
    if (tag === "td" || tag === "th") this.#table?.span(attributes.get("colspan"), attributes.get("rowspan"))
    else if (tag === "ol") {
      const start = Number(attributes.get("start"))
      if (Number.isInteger(start) && start >= 0 && start < 1_000) this.#lists.startAt(start)
    }
  }

  close(name: string): void {
    const tag = SHOWN_AS.get(name) ?? name
    if (tag === "a") this.#closeLink()
    else if (tag === "sup") this.#text.raised = false
    else if (tag === "nav") this.#navigation = Math.max(0, this.#navigation - 1)
    else if (tag === "pre") this.#closePreformatted()
    else if (tag === "table") this.#closeTable()
    else if (tag === "td" || tag === "th" || tag === "caption") this.#table?.endCell()
    else if (tag === "li") this.#endItem()
    else if (tag === "ul" || tag === "ol") this.#closeList()
    else if (HEADING.test(tag)) this.#endHeading()
    this.#break(tag)
    this.#regions.close(tag)
  }

  finish(): string {
    this.#startBlock()
    this.#regions.finish()
    // Without an end tag, it is the rest of the page.
    this.#fence()
    return this.#text.finish()
  }

  get #isMarked(): boolean {
    return this.#preformatted === 0 && this.#navigation === 0
  }

  #break(tag: string): void {
    if (PARAGRAPHS.has(tag)) {
      // A heading without an end tag ends at the next block, which may be a paragraph with its text.
      if (this.#heading !== null && (tag !== "p" || this.#text.position > this.#heading.start)) this.#endHeading()
      this.#text.paragraph()
    } else if (LINES.has(tag)) this.#text.line()
    else if (APART.has(tag)) this.#text.apart()
  }

  /** Pages that are laid out by their styles have links beside each other without a space. */
  #openLink(): void {
    const { position } = this.#text
    if (this.#linkTo > 0 && this.#linkTo === position) this.#text.apart()
    this.#inLink = true
    this.#linkFrom = position
  }

  #closeLink(): void {
    const { position } = this.#text
    if (this.#inLink && position > this.#linkFrom) this.#linkTo = position
    this.#inLink = false
  }

  #openHeading(level: number): void {
    this.#startBlock()
    this.#table?.disqualify()
    if (!this.#isMarked) return
    const mark = `${this.#text.indent}${"#".repeat(level)} `
    this.#text.startWith(mark)
    this.#text.flat = true
    this.#heading = { start: this.#text.position, mark }
  }

  #endHeading(): void {
    if (this.#heading === null) return
    const { mark, start } = this.#heading
    this.#heading = null
    this.#text.flat = false
    const heading = this.#text.between(start).slice(mark.trimStart().length)
    if (mark.trimStart() === TOP) this.title ??= heading || null
    if (heading === "") this.#text.startWith("")
    else if (heading.length > MAX_HEADING) this.#text.removeMark(start, mark)
  }

  #openList(tag: "ul" | "ol"): void {
    this.#endItem()
    this.#lists.open(tag === "ol")
  }

  #closeList(): void {
    this.#endItem()
    this.#lists.close()
    this.#text.indent = this.#lists.indent
  }

  #openItem(): void {
    this.#endItem()
    // Anchors are often not closed.
    this.#inLink = false
    if (!this.#isMarked) return
    const mark = this.#lists.next()
    this.#text.startWith(mark)
    this.#text.indent = this.#lists.indent
    this.#links = { start: this.#text.position, mark }
  }

  /** Links alone are a menu or a table of contents, of which no item says anything. */
  #endItem(): void {
    if (this.#links === null) return
    this.#text.startWith("")
    this.#text.removeMark(this.#links.start, this.#links.mark)
    this.#lists.unmark()
    this.#text.indent = this.#lists.indent
    this.#links = null
  }

  #openTerm(): void {
    if (!this.#inTerms) this.#text.paragraph()
    this.#inTerms = true
  }

  #openDefinition(): void {
    this.#inTerms = false
    this.#text.joinedLine()
  }

  #openTable(): void {
    this.#startBlock()
    this.#table = this.#isMarked ? new DataTable(this.#text) : null
  }

  #openCell(tag: "td" | "th"): void {
    this.#table?.cell(tag === "th")
    this.#text.cell()
  }

  #closeTable(): void {
    this.#endItem()
    this.#table?.close()
    this.#table = null
  }

  #openPreformatted(): void {
    if (this.#preformatted++ > 0) return
    this.#startBlock()
    this.#table?.disqualify()
    this.#text.preformatted = true
    this.#preformattedFrom = this.#text.position
  }

  #closePreformatted(): void {
    if (this.#preformatted === 0 || --this.#preformatted > 0) return
    this.#text.preformatted = false
    const { indent, position } = this.#text
    this.#listings.push({ start: this.#preformattedFrom, end: position, indent })
  }

  /** What starts here has marks of its own. */
  #startBlock(): void {
    this.#endHeading()
    this.#endItem()
  }

  /** Text that is most of the page is no listing in it, but a mail or a manual that is laid out with spaces. */
  #fence(): void {
    if (this.#listings.length === 0) return
    const { length } = this.#text.between(0)
    for (const { end, indent, start } of this.#listings) {
      const listing = this.#text.between(start, end)
      const fence = ["```", "~~~"].find((one) => !listing.includes(one))
      if (listing === "" || 2 * listing.length > length || fence === undefined) continue
      this.#text.enclose(start, end, fence, indent)
    }
  }
}
