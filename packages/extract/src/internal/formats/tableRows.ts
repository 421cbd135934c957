/** The rows of a table, each value after its column's name, so that a row is understandable by itself. */
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

type Row = ReadonlyArray<string>

const valuesOf = (row: Row): Row => row.filter((value) => value.trim() !== "")

const isNumber = (value: string): boolean => value.trim() !== "" && !Number.isNaN(Number(value))

const isYear = (value: string): boolean => /^(?:19|20)\d\d$/.test(value.trim())

/**
 * A header row: names are unique and not numbers, except that one column, often row numbers, may have no name, and that
 * years are names above what are mostly no years. Others, such as a name twice, are names if below one of the words is
 * nothing but numbers.
 */
const isHead = (row: Row, rest: ReadonlyArray<Row>): boolean => {
  if (valuesOf(row).length === 0) return false
  const below = row.map((_, column) => valuesOf(rest.map((row) => row[column] ?? "")))
  const isName = (name: string, column: number): boolean => {
    if (!isNumber(name)) return true
    const years = below[column]!.filter(isYear).length
    return isYear(name) && (years === 0 || 2 * years < below[column]!.length)
  }
  if (new Set(row).size === row.length && row.every(isName) && !row.every(isNumber)) return true
  return row.some((name, column) =>
    name.trim() !== "" && !isNumber(name) && below[column]!.length > 0 && below[column]!.every(isNumber)
  )
}

/** Spreadsheets have titles above their tables: rows of at most one value, before any with more. */
const titlesIn = (rows: ReadonlyArray<Row>): Row => {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const isTitle = (row: Row) => row.length < Math.min(2, columns) || (columns > 2 && valuesOf(row).length < 2)
  const first = rows.findIndex((row) => !isTitle(row))
  return rows.slice(0, Math.max(0, first)).map((row) => valuesOf(row).join(""))
}

const rowText = (row: Row, head: Row): string =>
  row
    .flatMap((value, column) => {
      const name = head[column]
      return value.trim() === "" ? [] : [name === undefined || name.trim() === "" ? value : `${name}: ${value}`]
    })
    .join("\n")

/** One paragraph for each row, below titles. */
export const tableRows = (rows: ReadonlyArray<Row>): string => {
  const titles = titlesIn(rows)
  const [first, ...rest] = rows.slice(titles.length)
  const isNamed = first !== undefined && rest.length > 0 && isHead(first, rest)
  const head = isNamed ? first : []
  // A long header that repeats in every row would inflate a small file.
  let characters = 0
  const lines = (isNamed ? rest : rows.slice(titles.length)).map((row) => {
    const line = rowText(row, head)
    characters += line.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    return line
  })
  return [...titles, ...lines].filter((line) => line !== "").join("\n\n")
}
