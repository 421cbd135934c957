/** The visible sheets of an OpenDocument spreadsheet, with what their cells show, and their comments. */
import { SheetCells } from "../office/SheetCells.ts"
import type { XmlElements } from "../xmlElements.ts"
import type { OdfStyles } from "./OdfStyles.ts"

/** What was changed, and what is not in cells. */
const HIDDEN: ReadonlySet<string> = new Set(["tracked-changes", "shapes", "dde-links"])

/** A row or cell with content is repeated at most as often as this. Programs fill a sheet to its end with empty ones. */
const MAX_REPEATED = 10_000

type Attribute = (name: string) => string | null

const countOf = (attribute: Attribute, name: string): number => Math.max(1, Number(attribute(name) ?? 1) || 1)

interface Sheet {
  readonly name: string
  readonly cells: SheetCells
  readonly comments: Array<string>
  row: number
}

interface Cell {
  readonly text: Array<string>
  readonly repeated: number
  readonly rows: number
}

interface Comment {
  author: string
  text: string
  /** Which of them is read. */
  field: "author" | "text" | null
}

/** As programs show it, such as `BC`; the first one is 0. */
const columnName = (column: number): string =>
  `${column < 26 ? "" : columnName(Math.floor(column / 26) - 1)}${String.fromCharCode(65 + column % 26)}`

export class OdfSheets implements XmlElements {
  readonly #sheets: Array<Sheet> = []
  readonly #styles: OdfStyles
  #sheet: Sheet | null = null
  #hidden = 0
  #tables = 0
  #column = 0
  #rowsRepeated = 1
  /** The cells of the row. */
  #values: Array<readonly [column: number, value: string]> = []
  #cell: Cell | null = null
  #isParagraph = false
  #comment: Comment | null = null

  constructor(styles: OdfStyles) {
    this.#styles = styles
  }

  get all() {
    return this.#sheets.map(({ cells, comments, name }) => ({ name, rows: cells.rows(), comments }))
  }

  open(name: string, attribute: Attribute): void {
    if (HIDDEN.has(name)) this.#hidden++
    if (this.#hidden > 0) return
    if (this.#comment !== null) return this.#openComment(this.#comment, name)
    if (name === "table" && this.#tables++ === 0) {
      this.#sheet = { name: attribute("table:name") ?? "", cells: new SheetCells(), comments: [], row: 0 }
      if (!this.#styles.isHidden(attribute("style-name"))) this.#sheets.push(this.#sheet)
    }
    if (this.#sheet === null || this.#tables > 1) return
    if (name === "table-row") {
      this.#column = 0
      this.#values = []
      this.#rowsRepeated = countOf(attribute, "number-rows-repeated")
    } else if (name === "table-cell" || name === "covered-table-cell") {
      const repeated = countOf(attribute, "number-columns-repeated")
      this.#cell = { text: [], repeated, rows: countOf(attribute, "number-rows-spanned") }
    } else if (name === "annotation") this.#comment = { author: "", text: "", field: null }
    else if (this.#cell !== null) this.#openText(name, attribute)
  }

  text(text: string): void {
    if (this.#comment !== null) {
      if (this.#comment.field !== null) this.#comment[this.#comment.field] += text
      return
    }
    const lines = this.#cell?.text
    if (this.#hidden === 0 && this.#isParagraph && lines !== undefined) lines[lines.length - 1] += text
  }

  close(name: string): void {
    if (HIDDEN.has(name)) this.#hidden--
    if (this.#hidden > 0) return
    if (this.#comment !== null) return this.#closeComment(this.#comment, name)
    if (name === "table" && --this.#tables === 0) this.#sheet = null
    else if (name === "p") this.#isParagraph = false
    else if (this.#sheet === null || this.#tables > 1) return
    else if (name === "table-cell" || name === "covered-table-cell") this.#closeCell(this.#sheet)
    else if (name === "table-row") this.#closeRow(this.#sheet)
  }

  #openComment(comment: Comment, name: string): void {
    if (name === "creator") comment.field = "author"
    else if (name === "p") {
      comment.field = "text"
      if (comment.text !== "") comment.text += "\n"
    }
  }

  #closeComment(comment: Comment, name: string): void {
    if (name === "creator" || name === "p") comment.field = null
    if (name !== "annotation") return
    this.#comment = null
    const [author, text] = [comment.author.trim(), comment.text.trim()]
    if (text === "" || this.#sheet === null) return
    const place = `${columnName(this.#column)}${this.#sheet.row + 1}`
    this.#sheet.comments.push(`Comment${author === "" ? "" : ` by ${author}`} on ${place}: ${text}`)
  }

  #openText(name: string, attribute: Attribute): void {
    if (name === "p") {
      this.#isParagraph = true
      this.#cell?.text.push("")
    } else if (name === "s" || name === "tab") this.text(" ".repeat(Math.min(100, countOf(attribute, "text:c"))))
    else if (name === "line-break") this.text("\n")
  }

  #closeCell({ cells, row }: Sheet): void {
    if (this.#cell === null) return
    const { repeated, rows, text } = this.#cell
    const value = text.join("\n").trim()
    if (value !== "") {
      for (let at = 0; at < Math.min(repeated, MAX_REPEATED); at++) this.#values.push([this.#column + at, value])
    }
    if (rows > 1) cells.merge([this.#column, row], [this.#column, row + rows - 1])
    this.#column += repeated
    this.#cell = null
  }

  #closeRow(sheet: Sheet): void {
    if (this.#values.length > 0) {
      for (let at = 0; at < Math.min(this.#rowsRepeated, MAX_REPEATED); at++) {
        for (const [column, value] of this.#values) sheet.cells.set(column, sheet.row + at, value)
      }
    }
    sheet.row += this.#rowsRepeated
  }
}
