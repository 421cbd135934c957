/** Writes the text of an OpenDocument file, or its slides, element by element, as blocks of HTML. */
import { HtmlBlocks } from "../HtmlBlocks.ts"
import type { XmlElements } from "../xmlElements.ts"
import type { OdfStyles } from "./OdfStyles.ts"

/** What was deleted, how a word is pronounced, fields of forms, descriptions of pictures, and what a cell covers. */
const HIDDEN: ReadonlySet<string> = new Set(
  ("tracked-changes ruby-text forms desc note-citation hidden-text hidden-paragraph covered-table-cell " +
    "date-string automatic-styles").split(" ")
)

const MAX_HEADINGS = 6

const MAX_SPACES = 100

type Attribute = (name: string) => string | null

interface OpenList {
  readonly style: string
  readonly tag: "ul" | "ol"
}

export class OdfBody implements XmlElements {
  readonly #blocks = new HtmlBlocks()
  readonly #styles: OdfStyles
  readonly #notes: Array<HtmlBlocks> = []
  readonly #comments: Array<HtmlBlocks> = []
  /** Notes and comments that are open, the innermost last. */
  readonly #apart: Array<HtmlBlocks> = []
  /** The tags of open paragraphs: a text box is within the one that it belongs to. */
  readonly #paragraphs: Array<string> = []
  /** For each open span, whether it is hidden. */
  readonly #spans: Array<boolean> = []
  readonly #lists: Array<OpenList> = []
  #hidden = 0
  /** The next paragraph continues the block that is open: an item, a note or a comment. */
  #isBegun = false
  #isInHead = false
  #isInTitle = false
  #label = ""
  /** When a comment was written, unlike a date in the text. */
  #isOfComment = false

  constructor(styles: OdfStyles) {
    this.#styles = styles
  }

  /** The first heading of the highest level. */
  get title(): string | null {
    return this.#blocks.title
  }

  open(name: string, attribute: Attribute): void {
    if (HIDDEN.has(name)) this.#hidden++
    if (this.#hidden > 0) return
    if (name === "p" || name === "h") this.#openParagraph(name, attribute)
    else if (name === "span") this.#spans.push(this.#styles.isHidden(attribute("text:style-name")))
    else if (name === "s") this.text(" ".repeat(Math.min(MAX_SPACES, Number(attribute("text:c") ?? 1) || 1)))
    else if (name === "tab") this.text(" ")
    else if (name === "line-break") this.#current.open("br")
    else if (name === "note-body") this.#openApart(this.#notes, `[${this.#notes.length + 1}]`)
    else if (name === "annotation") this.#openApart(this.#comments, "")
    else if (name === "list") this.#openList(attribute("text:style-name"))
    else if (name === "list-item") this.#openItem()
    else if (name === "frame") this.#isInTitle = attribute("presentation:class") === "title"
    else if (name === "notes") this.#label = "Notes: "
    else if (name === "date") this.#isOfComment = attribute("date-value") === null && this.#apart.length > 0
    else this.#openTable(name, attribute)
  }

  text(text: string): void {
    const isShown = this.#paragraphs.length > 0 || this.#apart.length > 0
    if (isShown && !this.#isOfComment && this.#hidden === 0 && !this.#spans.includes(true)) this.#current.write(text)
  }

  close(name: string): void {
    if (HIDDEN.has(name)) this.#hidden--
    if (this.#hidden > 0) return
    if (name === "p" || name === "h") this.#closeParagraph()
    else if (name === "span") this.#spans.pop()
    else if (name === "creator") this.text(": ")
    else if (name === "note-body" || name === "annotation") this.#apart.pop()
    else if (name === "list") this.#closeList()
    else if (name === "frame") this.#isInTitle = false
    else if (name === "notes") this.#label = ""
    else if (name === "date") this.#isOfComment = false
    else this.#closeTable(name)
  }

  finish(): string {
    if (this.#notes.length > 0) this.#blocks.open("ol")
    for (const note of this.#notes) {
      this.#blocks.open("li")
      this.#blocks.write(note.finish())
    }
    this.#blocks.close("ol")
    for (const comment of this.#comments) {
      this.#blocks.open("p")
      this.#blocks.write(`Comment by ${comment.finish()}`)
      this.#blocks.close("p")
    }
    return this.#blocks.finish()
  }

  get #current(): HtmlBlocks {
    return this.#apart.at(-1) ?? this.#blocks
  }

  #openApart(all: Array<HtmlBlocks>, mark: string): void {
    this.text(mark)
    const blocks = new HtmlBlocks()
    all.push(blocks)
    this.#apart.push(blocks)
    this.#isBegun = true
  }

  #tagOf(name: string, attribute: Attribute): string {
    if (this.#isInTitle) return "h2"
    if (name === "h") return `h${Math.min(MAX_HEADINGS, Math.max(1, Number(attribute("outline-level") ?? 1) || 1))}`
    if (this.#styles.isTitle(attribute("text:style-name"))) return "h1"
    return this.#isBegun ? "" : "p"
  }

  #openParagraph(name: string, attribute: Attribute): void {
    const tag = this.#tagOf(name, attribute)
    this.#isBegun = false
    this.#paragraphs.push(tag)
    this.#spans.push(this.#styles.isHidden(attribute("text:style-name")))
    if (tag !== "") this.#current.open(tag)
    if (this.#label === "") return
    this.#current.write(this.#label)
    this.#label = ""
  }

  #closeParagraph(): void {
    this.#spans.pop()
    const tag = this.#paragraphs.pop() ?? ""
    if (tag !== "") this.#current.close(tag)
  }

  /** A list within another one has its style. */
  #openList(named: string | null): void {
    const style = named ?? this.#lists.at(-1)?.style ?? ""
    const tag = this.#styles.isNumbered(style, this.#lists.length + 1) ? "ol" : "ul"
    this.#lists.push({ style, tag })
    this.#current.open(tag)
  }

  #openItem(): void {
    this.#current.open("li")
    this.#isBegun = true
  }

  #closeList(): void {
    const list = this.#lists.pop()
    if (list !== undefined) this.#current.close(list.tag)
    this.#isBegun = false
  }

  #openTable(name: string, attribute: Attribute): void {
    if (name === "table") this.#current.open("table")
    else if (name === "table-header-rows") this.#isInHead = true
    else if (name === "table-row") this.#current.open("tr")
    else if (name === "table-cell") {
      const tag = this.#isInHead ? "th" : "td"
      const spans = [["colspan", "number-columns-spanned"], ["rowspan", "number-rows-spanned"]] as const
      this.#current.open(tag)
      this.#current.attributes(tag, new Map(spans.map(([html, odf]) => [html, attribute(odf) ?? "1"])))
    }
  }

  #closeTable(name: string): void {
    if (name === "table") this.#current.close("table")
    else if (name === "table-header-rows") this.#isInHead = false
    else if (name === "table-row") this.#current.close("tr")
    else if (name === "table-cell") this.#current.close("td")
  }
}
