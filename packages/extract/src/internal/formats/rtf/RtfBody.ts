/** Writes the paragraphs, tables and notes of an RTF file as blocks of HTML. */
import { HtmlBlocks } from "../HtmlBlocks.ts"

/** The mark of an item as the program drew it. */
const BULLET = /^[\s·•◦▪●○■§\-–oo\uf000-\uf0ff]*$/u

export class RtfBody {
  readonly #blocks = new HtmlBlocks()
  readonly #notes: Array<string> = []
  #text = ""
  /** What precedes the text of an item. */
  #mark = ""
  #level = 0
  #row: Array<string> | null = null
  #cell: Array<string> = []
  #isTable = false
  #isList = false

  append(text: string): void {
    this.#text += text
  }

  mark(text: string): void {
    this.#mark += text
  }

  /** Of the paragraphs that follow; 0 for text. */
  heading(level: number): void {
    this.#level = level
  }

  endParagraph(isInTable: boolean): void {
    const text = this.#text
    this.#text = ""
    if (isInTable) {
      if (text.trim() !== "") this.#cell.push(text.trim())
      this.#mark = ""
      return
    }
    this.#endTable()
    const mark = this.#mark.trim()
    this.#mark = ""
    if (mark !== "" && BULLET.test(mark)) this.#item(text)
    else this.#paragraph(mark === "" ? text : `${mark} ${text}`)
  }

  endCell(): void {
    this.endParagraph(true)
    this.#row ??= []
    this.#row.push(this.#cell.join("\n"))
    this.#cell = []
  }

  endRow(): void {
    if (this.#row === null) return
    this.#endList()
    if (!this.#isTable) this.#blocks.open("table")
    this.#isTable = true
    this.#blocks.open("tr")
    for (const cell of this.#row) {
      this.#blocks.open("td")
      this.#lines(cell)
      this.#blocks.close("td")
    }
    this.#blocks.close("tr")
    this.#row = null
  }

  /** The text until now is that of a note, whose mark is in the text before. */
  takeNote(before: string): void {
    this.#notes.push(this.#text.trim())
    this.#text = `${before}[${this.#notes.length}]`
  }

  /** Takes the text of the paragraph until now. */
  take(): string {
    const text = this.#text
    this.#text = ""
    return text
  }

  finish(): string {
    if (this.#row !== null || this.#cell.length > 0) {
      this.endCell()
      this.endRow()
    }
    this.endParagraph(false)
    this.#endList()
    if (this.#notes.length > 0) this.#blocks.open("ol")
    for (const note of this.#notes) {
      this.#blocks.open("li")
      this.#blocks.write(note)
    }
    return this.#blocks.finish()
  }

  get title(): string | null {
    return this.#blocks.title
  }

  #paragraph(text: string): void {
    this.#endList()
    const tag = this.#level > 0 ? `h${this.#level}` : "p"
    this.#blocks.open(tag)
    this.#lines(text)
    this.#blocks.close(tag)
  }

  #item(text: string): void {
    if (!this.#isList) this.#blocks.open("ul")
    this.#isList = true
    this.#blocks.open("li")
    this.#lines(text)
    this.#blocks.close("li")
  }

  #lines(text: string): void {
    for (const [at, line] of text.split("\n").entries()) {
      if (at > 0) this.#blocks.open("br")
      this.#blocks.write(line)
    }
  }

  #endList(): void {
    if (this.#isList) this.#blocks.close("ul")
    this.#isList = false
  }

  #endTable(): void {
    if (this.#isTable) this.#blocks.close("table")
    this.#isTable = false
  }
}
