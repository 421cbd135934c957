/** Writes the paragraphs, lists and tables of a Word document, element by element, as those of HTML. */
import { hex } from "dingbat-to-unicode"
import type { DocxStyles, Item } from "./DocxStyles.ts"
import { addProperty, isOn, LEVELS, type Properties } from "./DocxStyles.ts"
import { DocxRuns } from "./DocxRuns.ts"
import { headingNumber } from "./headingNumbers.ts"
import type { HtmlBlocks } from "../HtmlBlocks.ts"
import { isApartBefore, isApartFrom } from "../raisedNumbers.ts"
import type { XmlElements } from "../xmlElements.ts"

/** What was deleted, moved or changed, what another form repeats, how a word is pronounced, and the field of a form. */
const HIDDEN: ReadonlySet<string> = new Set("del moveFrom pPrChange rPrChange Fallback rt sdtPr".split(" "))

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["tab", " "],
  ["ptab", " "],
  ["br", "\n"],
  ["cr", "\n"],
  // Of a fraction.
  ["den", "/"],
  ["noBreakHyphen", "\u2011"],
  ["softHyphen", "\u00ad"]
])

interface Paragraph {
  readonly properties: Properties
  text: string
  /** The end of the text, and whether that is above the line. */
  last: string
  isRaised: boolean
  /** The next one continues it. */
  isEndDeleted: boolean
}

const paragraphOf = (text: string): Paragraph => ({
  properties: {},
  text,
  last: "",
  isRaised: false,
  isEndDeleted: false
})

const isApart = (before: string, text: string, isRaised: boolean): boolean =>
  isRaised ? isApartFrom(before, text) : isApartBefore(before, text)

interface OpenList {
  readonly id: string
  readonly tag: "ul" | "ol"
}

type Attribute = (name: string) => string | null

/** A letter of a font of symbols. */
const symbol = (font: string, code: string): string => hex(font, code.replace(/^F0/i, ""))?.string ?? ""

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

export class DocxBody implements XmlElements {
  readonly #blocks: HtmlBlocks
  readonly #styles: DocxStyles
  /** The notes that are referred to, in order. */
  readonly notes: Array<string> = []
  /** A text box is in the paragraph that it belongs to. */
  readonly #paragraphs: Array<Paragraph> = []
  /** Paragraphs of text boxes, which come after that. */
  #boxes: Array<Paragraph> = []
  #hidden = 0
  #inProperties = 0
  #inText = false
  readonly #runs: DocxRuns
  /** The text of paragraphs whose end was deleted. */
  #unended = ""
  /** The open lists, the outermost first. */
  readonly #lists: Array<OpenList> = []
  /** The number of items so far, of each level of each list. */
  readonly #counts = new Map<string, number>()
  readonly #restarted = new Set<string>()
  /** For each open table, whether its current row has column headers. */
  readonly #heads: Array<boolean> = []
  /** The attributes of a cell that has no content yet. */
  #cell: ReadonlyMap<string, string> | null = null

  constructor(blocks: HtmlBlocks, styles: DocxStyles) {
    this.#blocks = blocks
    this.#styles = styles
    this.#runs = new DocxRuns(styles)
  }

  open(name: string, attribute: Attribute): void {
    const paragraph = this.#paragraphs.at(-1)
    if (this.#inProperties > 0 && name === "del" && paragraph !== undefined) paragraph.isEndDeleted = true
    if (HIDDEN.has(name)) this.#hidden++
    if (this.#hidden > 0) return
    if (name === "pPr") this.#inProperties++
    else if (this.#inProperties > 0) {
      if (paragraph !== undefined) addProperty(paragraph.properties, name, attribute("val"))
    } else if (name === "p") this.#openParagraph()
    else if (name === "t") this.#inText = true
    else if (paragraph === undefined) this.#openTable(name, attribute)
    else {
      this.#runs.open(name, attribute, paragraph.properties.style)
      if (!this.#runs.isHidden) this.#append(paragraph, this.#characters(name, attribute))
    }
  }

  text(text: string): void {
    const paragraph = this.#paragraphs.at(-1)
    const isShown = this.#inText && this.#hidden === 0 && !this.#runs.isHidden
    if (isShown && paragraph !== undefined) this.#append(paragraph, text)
  }

  close(name: string): void {
    if (HIDDEN.has(name)) this.#hidden--
    if (this.#hidden > 0) return
    if (name === "pPr") this.#inProperties--
    else if (name === "t") this.#inText = false
    else if (name === "p") this.#closeParagraph()
    else if (this.#paragraphs.length === 0) this.#closeTable(name)
  }

  /** The end of the document or of a cell. */
  finish(): void {
    if (this.#unended !== "") this.#write(paragraphOf(this.#unended))
    this.#unended = ""
    this.#closeLists(0)
  }

  #characters(name: string, attribute: Attribute): string {
    if (name === "sym") return symbol(attribute("font") ?? "", attribute("char") ?? "")
    const [, note] = /^(footnote|endnote)Reference$/.exec(name) ?? []
    if (note !== undefined) return `[${this.notes.push(`${note} ${attribute("id")}`)}]`
    return CHARACTERS.get(name) ?? ""
  }

  #openParagraph(): void {
    this.#paragraphs.push(paragraphOf(this.#unended))
    this.#unended = ""
  }

  #append(paragraph: Paragraph, text: string): void {
    if (text === "") return
    const { isRaised } = this.#runs
    if (isRaised !== paragraph.isRaised && isApart(paragraph.last, text, isRaised)) paragraph.text += " "
    paragraph.text += text
    paragraph.last = text
    paragraph.isRaised = isRaised
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    this.#runs.endParagraph()
    if (paragraph === undefined) return
    if (this.#paragraphs.length > 0) {
      this.#boxes.push(paragraph)
      return
    }
    if (paragraph.isEndDeleted) this.#unended = paragraph.text
    else this.#write(paragraph)
    const boxes = this.#boxes
    this.#boxes = []
    for (const box of boxes) this.#write(box)
  }

  #write({ properties, text }: Paragraph): void {
    this.#openCell()
    const level = this.#styles.headingLevel(properties)
    const item = this.#styles.item(properties)
    const count = item === null ? 0 : this.#count(item)
    if (item !== null && level === null) return this.#writeItem(item, count, text)
    this.#closeLists(0)
    const number = item?.isNumbered === true && text.trim() !== "" ? `${this.#numberOf(item)} ` : ""
    this.#writeBlock(level === null ? "p" : `h${level}`, `${number}${text}`)
  }

  /** How many items of this level there are before. */
  #count({ counter, level, list, restart, start }: Item): number {
    const key = `${counter} ${level}`
    const isRestarted = restart !== null && !this.#restarted.has(`${list} ${level}`)
    if (isRestarted) this.#restarted.add(`${list} ${level}`)
    const count = isRestarted ? restart - start : this.#counts.get(key) ?? 0
    this.#counts.set(key, count + 1)
    // Deeper levels start again.
    for (let deeper = level + 1; deeper <= LEVELS; deeper++) this.#counts.delete(`${counter} ${deeper}`)
    return count
  }

  #numberOf({ counter, level, levels }: Item): string {
    return headingNumber(
      levels,
      level,
      (of) => (levels.get(of)?.start ?? 1) + (this.#counts.get(`${counter} ${of}`) ?? 1) - 1
    )
  }

  #writeBlock(tag: string, text: string): void {
    this.#blocks.open(tag)
    for (const [at, line] of text.split("\n").entries()) {
      if (at > 0) this.#blocks.open("br")
      this.#blocks.write(line)
    }
    this.#blocks.close(tag)
  }

  #writeItem({ isNumbered, level, list, start }: Item, count: number, text: string): void {
    const tag = isNumbered ? "ol" : "ul"
    const same = this.#lists[level]
    this.#closeLists(same?.tag === tag && same.id === list ? level + 1 : level)
    while (this.#lists.length <= level) {
      this.#lists.push({ id: list, tag })
      this.#blocks.open(tag)
      this.#blocks.attributes(tag, new Map([["start", String(start + count)]]))
    }
    this.#writeBlock("li", text)
  }

  #closeLists(kept: number): void {
    while (this.#lists.length > kept) this.#blocks.close(this.#lists.pop()!.tag)
  }

  #openTable(name: string, attribute: Attribute): void {
    if (name === "tbl") {
      this.#openCell()
      this.#closeLists(0)
      this.#heads.push(false)
      this.#blocks.open("table")
    } else if (name === "tr") {
      this.#heads[this.#heads.length - 1] = false
      this.#blocks.open("tr")
    } else if (name === "tblHeader") this.#heads[this.#heads.length - 1] = isOn(attribute("val"))
    else if (name === "tc") this.#cell = NO_ATTRIBUTES
    else if (name === "gridSpan") this.#cell = new Map([["colspan", attribute("val") ?? ""]])
  }

  /** Whether it is a header is known before its content. */
  #openCell(): void {
    if (this.#cell === null) return
    const tag = this.#heads.at(-1) === true ? "th" : "td"
    this.#blocks.open(tag)
    this.#blocks.attributes(tag, this.#cell)
    this.#cell = null
  }

  #closeTable(name: string): void {
    if (name === "tc") {
      this.#openCell()
      this.finish()
      this.#blocks.close("td")
    } else if (name === "tr") this.#blocks.close("tr")
    else if (name === "tbl") {
      this.#heads.pop()
      this.#blocks.close("table")
    }
  }
}
