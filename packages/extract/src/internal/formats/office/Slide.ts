/** Writes the shapes of a slide or of its notes, element by element, as blocks of HTML. */
import type { HtmlBlocks } from "../HtmlBlocks.ts"
import type { XmlElements } from "../xmlElements.ts"

/** What is repeated on every slide, and the picture of the slide in the notes. */
const REPEATED: ReadonlySet<string> = new Set(["dt", "ftr", "hdr", "sldImg", "sldNum"])

/** What an older program shows instead. */
const HIDDEN: ReadonlySet<string> = new Set(["Fallback"])

const HEADINGS: ReadonlyMap<string, string> = new Map([["ctrTitle", "h1"], ["title", "h2"]])

/** In these places, paragraphs are items unless they say otherwise. */
const LISTS: ReadonlySet<string> = new Set(["body", "obj"])

interface Item {
  readonly tag: "ul" | "ol" | null
  readonly level: number
}

type Attribute = (name: string) => string | null

export class Slide implements XmlElements {
  readonly #blocks: HtmlBlocks
  /** Precedes the first paragraph of notes. */
  #label: string
  readonly #isNotes: boolean
  /** What the shape is for. */
  #place = ""
  #paragraph: string | null = null
  #item: Item = { tag: null, level: 0 }
  readonly #lists: Array<string> = []
  #isText = false
  #hidden = 0
  /** Within tables, whether the current row has column headers. */
  #table: { isHead: boolean; rows: number } | null = null
  #isCovered = false

  constructor(blocks: HtmlBlocks, label: string) {
    this.#blocks = blocks
    this.#label = label
    this.#isNotes = label !== ""
  }

  open(name: string, attribute: Attribute): void {
    if (HIDDEN.has(name)) this.#hidden++
    if (this.#hidden > 0) return
    if (name === "sp") this.#place = ""
    else if (name === "ph") this.#place = attribute("type") ?? "obj"
    else if (name === "p") this.#openParagraph()
    else if (name === "pPr") this.#item = { ...this.#item, level: Math.min(8, Number(attribute("lvl") ?? 0)) }
    else if (name === "buNone") this.#item = { ...this.#item, tag: null }
    else if (name === "buChar") this.#item = { ...this.#item, tag: "ul" }
    else if (name === "buAutoNum") this.#item = { ...this.#item, tag: "ol" }
    else if (name === "t") this.#isText = true
    else if (name === "br" && this.#paragraph !== null) this.#paragraph += "\n"
    else this.#openTable(name, attribute)
  }

  text(text: string): void {
    if (this.#isText && this.#paragraph !== null && this.#hidden === 0) this.#paragraph += text
  }

  close(name: string): void {
    if (HIDDEN.has(name)) this.#hidden--
    if (this.#hidden > 0) return
    if (name === "t") this.#isText = false
    else if (name === "p") this.#closeParagraph()
    else if (name === "sp") this.finish()
    else this.#closeTable(name)
  }

  finish(): void {
    this.#closeLists(0)
  }

  #openParagraph(): void {
    this.#paragraph = ""
    const isItem = !this.#isNotes && this.#table === null && LISTS.has(this.#place)
    this.#item = { tag: isItem ? "ul" : null, level: 0 }
  }

  #closeParagraph(): void {
    const text = this.#paragraph?.trim() ?? ""
    this.#paragraph = null
    if (text === "" || this.#isCovered || REPEATED.has(this.#place)) return
    const heading = this.#isNotes ? undefined : HEADINGS.get(this.#place)
    const { level, tag } = this.#item
    if (heading !== undefined || tag === null) {
      this.#closeLists(0)
      this.#write(heading ?? "p", `${this.#label}${text}`)
    } else this.#writeItem(tag, level, text)
    this.#label = ""
  }

  #write(tag: string, text: string): void {
    this.#blocks.open(tag)
    for (const [at, line] of text.split(/[\n\v]/).entries()) {
      if (at > 0) this.#blocks.open("br")
      this.#blocks.write(line)
    }
    this.#blocks.close(tag)
  }

  #writeItem(tag: "ul" | "ol", level: number, text: string): void {
    this.#closeLists(this.#lists[level] === tag ? level + 1 : level)
    while (this.#lists.length <= level) {
      this.#lists.push(tag)
      this.#blocks.open(tag)
    }
    this.#write("li", text)
  }

  #closeLists(kept: number): void {
    while (this.#lists.length > kept) this.#blocks.close(this.#lists.pop()!)
  }

  #openTable(name: string, attribute: Attribute): void {
    if (name === "tbl") {
      this.finish()
      this.#place = ""
      this.#table = { isHead: false, rows: 0 }
      this.#blocks.open("table")
    } else if (this.#table === null) return
    else if (name === "tblPr") this.#table.isHead = attribute("firstRow") === "1"
    else if (name === "tr") this.#blocks.open("tr")
    else if (name === "tc") {
      const tag = this.#table.isHead && this.#table.rows === 0 ? "th" : "td"
      this.#isCovered = attribute("hMerge") === "1" || attribute("vMerge") === "1"
      this.#blocks.open(tag)
    }
  }

  #closeTable(name: string): void {
    if (this.#table === null) return
    if (name === "tc") {
      this.finish()
      this.#isCovered = false
      this.#blocks.close("td")
    } else if (name === "tr") {
      this.#table.rows++
      this.#blocks.close("tr")
    } else if (name === "tbl") {
      this.#table = null
      this.#blocks.close("table")
    }
  }
}
