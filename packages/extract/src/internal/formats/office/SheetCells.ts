/** The cells of a sheet, which may be anywhere in it. */
import { MAX_CHARACTERS, tooMuchText } from "../../limits.ts"
import { tableRows } from "../tableRows.ts"

/** Of the cells between the used rows and columns. Beyond it, a sheet is no table. */
const MAX_CELLS = 4_000_000

type Place = readonly [column: number, row: number]

export class SheetCells {
  readonly #rows = new Map<number, Map<number, string>>()
  /** The rows to which the value of a merged cell applies, too. */
  readonly #merged: Array<readonly [first: Place, lastRow: number]> = []
  #characters = 0

  set(column: number, row: number, text: string): void {
    const value = text.trim()
    if (value === "") return
    // Many cells can refer to one long text.
    this.#characters += value.length
    if (this.#characters > MAX_CHARACTERS) throw tooMuchText()
    const cells = this.#rows.get(row) ?? new Map<number, string>()
    this.#rows.set(row, cells.set(column, value))
  }

  merge(first: Place, [, lastRow]: Place): void {
    if (lastRow > first[1]) this.#merged.push([first, lastRow])
  }

  /** Without empty rows and columns. */
  rows(): ReadonlyArray<ReadonlyArray<string>> {
    this.#fillMerged()
    const rows = [...this.#rows].toSorted(([one], [other]) => one - other).map(([, cells]) => cells)
    const used = new Set<number>()
    for (const cells of rows) for (const column of cells.keys()) used.add(column)
    const columns = [...used].toSorted((one, other) => one - other)
    if (rows.length * columns.length > MAX_CELLS) {
      return rows.map((cells) => [...cells].toSorted(([one], [other]) => one - other).map(([, value]) => value))
    }
    return rows.map((cells) => columns.map((column) => cells.get(column) ?? ""))
  }

  #fillMerged(): void {
    const used = [...this.#rows.keys()].toSorted((one, other) => one - other)
    let steps = 0
    for (const [[column, row], lastRow] of this.#merged) {
      const value = this.#rows.get(row)?.get(column)
      if (value === undefined) continue
      for (const below of used) {
        if (++steps > MAX_CELLS) return
        if (below > row && below <= lastRow) this.set(column, below, value)
      }
    }
  }
}

interface Sheet {
  readonly name: string
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly comments?: ReadonlyArray<string>
}

/** Each sheet under its name, with its comments at its end. */
export const sheetsText = (sheets: ReadonlyArray<Sheet>): string => {
  const texts: Array<string> = []
  let characters = 0
  for (const { comments = [], name, rows } of sheets) {
    const content = [...rows.length === 0 ? [] : [tableRows(rows)], ...comments]
    if (content.length === 0) continue
    const text = [`# ${name.replaceAll(/\s+/g, " ").trim()}`, ...content].join("\n\n")
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    texts.push(text)
  }
  return texts.join("\n\n")
}
