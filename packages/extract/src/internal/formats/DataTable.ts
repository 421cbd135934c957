/**
 * The innermost open table, while its text is also written as it comes. At its end, lines replace that text: those of a
 * Markdown table if it has column headers, or else one for each row, whose cells may contain paragraphs.
 */
import type { TextWriter } from "./TextWriter.ts"

interface Cell {
  readonly isHeader: boolean
  readonly column: number
  text: string
}

/** Cells after these columns, and cells that span more columns or rows, count as if they spanned one. */
const MAX_SPANNED = 20

/** Further rows of headers are no names of columns. */
const MAX_HEADS = 5

/** A longer cell, or row without column headers, is laid out as a page. */
const MAX_LENGTH = 1_000

const spanned = (span: string | undefined): number => {
  const count = Number.parseInt(span ?? "1", 10)
  return count >= 1 && count <= MAX_SPANNED ? count : 1
}

const onOneLine = (text: string): string => text.replaceAll(/\s*[\n\t]\s*/g, " ")

const line = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((text) => onOneLine(text).replaceAll("|", "\\|")).join(" | ")} |`

const hasParagraphs = (text: string): boolean => text.includes("\n\n")

/** A row without column headers. */
const plainRow = (cells: ReadonlyArray<string>): string => {
  if (cells.length > 1 && cells.join(" ").length <= MAX_LENGTH) return cells.map(onOneLine).join("\t")
  return cells.map((cell) => `${cell}${hasParagraphs(cell) ? "\n\n" : "\t"}`).join("").trimEnd()
}

export class DataTable {
  readonly #written: TextWriter
  readonly #start: number
  readonly #rows: Array<Array<Cell>> = []
  #caption: Cell | null = null
  /** The open cell or caption. */
  #cell: Cell | null = null
  /** Where the last one ended. */
  #end: number
  #column = 0
  /** For each column, how many rows a cell covers, counted from this row. */
  #covered: Array<number> = []
  #isLayout = false

  constructor(written: TextWriter) {
    this.#written = written
    this.#start = this.#end = written.position
  }

  /** A cell contains what a row cannot. */
  disqualify(): void {
    this.#isLayout = true
  }

  row(): void {
    this.endCell()
    this.#rows.push([])
    this.#column = 0
    this.#covered = this.#covered.map((rows) => Math.max(0, rows - 1))
  }

  cell(isHeader: boolean): void {
    this.endCell()
    if (this.#rows.length === 0) this.row()
    while ((this.#covered[this.#column] ?? 0) > 0) this.#column++
    this.#cell = { isHeader, column: this.#column++, text: "" }
    this.#rows.at(-1)!.push(this.#cell)
  }

  /** The attributes of the cell that was just opened. */
  span(columns: string | undefined, rows: string | undefined): void {
    if (this.#cell === null) return
    const { column } = this.#cell
    this.#column = column + spanned(columns)
    if (this.#column > MAX_SPANNED) return
    for (let before = 0; before < this.#column; before++) this.#covered[before] ??= 0
    if (rows !== undefined) this.#covered.fill(spanned(rows), column, this.#column)
  }

  caption(): void {
    this.endCell()
    if (this.#caption !== null) this.#isLayout = true
    this.#caption = this.#cell = { isHeader: false, column: 0, text: "" }
  }

  endCell(): void {
    const { position } = this.#written
    if (this.#cell === null) this.#isLayout ||= position > this.#end
    else if (!this.#isLayout) {
      this.#cell.text = this.#written.between(this.#end, position)
    }
    this.#cell = null
    this.#end = position
  }

  close(): void {
    this.endCell()
    const rows = this.#rows.filter((row) => row.some(({ text }) => text !== ""))
    if (this.#isLayout || rows.length === 0) return
    const caption = this.#caption?.text ?? ""
    const lines = this.#dataLines(rows) ?? this.#plainLines(rows)
    this.#written.replaceFrom(this.#start, `${caption === "" ? "" : `${caption}\n\n`}${lines}`)
  }

  /** Null without column headers. */
  #dataLines(rows: ReadonlyArray<ReadonlyArray<Cell>>): string | null {
    const heads = rows.findIndex((row) => row.some(({ isHeader, text }) => !isHeader && text !== ""))
    if (heads < 1 || heads > MAX_HEADS || rows.flat().some(({ text }) => text.length > MAX_LENGTH)) return null
    const columns = rows.reduce((most, row) => Math.max(most, row.at(-1)!.column + 1), 0)
    const names = Array<string>(columns).fill("")
    for (const { column, text } of rows.slice(0, heads).flat()) names[column] = `${names[column]} ${text}`.trim()
    if (names.filter((name) => name !== "").length < 2) return null
    return [line(names), line(names.map(() => "---")), ...rows.slice(heads).map((row) => this.#line(row))].join("\n")
  }

  #plainLines(rows: ReadonlyArray<ReadonlyArray<Cell>>): string {
    const lines = rows.map((row) => plainRow(row.map(({ text }) => text).filter((text) => text !== "")))
    return lines.join(lines.some(hasParagraphs) ? "\n\n" : "\n")
  }

  #line(row: ReadonlyArray<Cell>): string {
    const cells: Array<string> = []
    for (const { column, text } of row) {
      while (cells.length < column) cells.push("")
      cells.push(text)
    }
    return line(cells)
  }
}
