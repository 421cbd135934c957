/** The rows of a table, each value after its column's name, so that a row is understandable by itself. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { CsvError, parse } from "csv-parse/sync"
import { extractedText } from "../extractedText.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

/** Some files have several kinds. */
const LINE_END = /\r?\n|\r/

const DELIMITERS = [",", ";", "\t", "|"] as const

/** How often a separator is in each line, outside quotes and numbers. */
const countsIn = (text: string, delimiter: string): ReadonlyArray<number> =>
  text.slice(0, 10_000).replaceAll(/"[^"]*"|(?<=\d),(?=\d)/g, "").split(LINE_END).map((line) =>
    line.split(delimiter).length - 1
  )

/** How many lines have as many columns as most. */
const alike = (counts: ReadonlyArray<number>): number => {
  const lines = new Map<number, number>()
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1)
  return Math.max(0, ...lines.values())
}

/**
 * The separator that makes the most lines alike: titles may contain others. Of several, the one that the first line with
 * any contains most often.
 */
const delimiterOf = (text: string): string => {
  const all = DELIMITERS.map((delimiter) => ({ delimiter, counts: countsIn(text, delimiter) }))
  const first = all[0]!.counts.findIndex((_, line) => all.some(({ counts }) => counts[line]! > 0))
  const order = (one: (typeof all)[number]) => [alike(one.counts), one.counts[first] ?? 0] as const
  return all.reduce((best, one) => {
    const [[lines, columns], [bestLines, bestColumns]] = [order(one), order(best)]
    return (lines - bestLines || columns - bestColumns) > 0 ? one : best
  }).delimiter
}

const valuesOf = (row: ReadonlyArray<string>): ReadonlyArray<string> => row.filter((value) => value.trim() !== "")

const isNumber = (value: string): boolean => value.trim() !== "" && !Number.isNaN(Number(value))

const isYear = (value: string): boolean => /^(?:19|20)\d\d$/.test(value.trim())

/**
 * A header row: names are unique and not numbers, except that one column, often row numbers, may have no name, and that
 * years are names above what are mostly no years. Others, such as a name twice, are names if below one of the words is
 * nothing but numbers.
 */
const isHead = (row: ReadonlyArray<string>, rest: ReadonlyArray<ReadonlyArray<string>>): boolean => {
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
const titlesIn = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const isTitle = (row: ReadonlyArray<string>) =>
    row.length < Math.min(2, columns) || (columns > 2 && valuesOf(row).length < 2)
  const first = rows.findIndex((row) => !isTitle(row))
  return rows.slice(0, Math.max(0, first)).map((row) => valuesOf(row).join(""))
}

const rowText = (row: ReadonlyArray<string>, head: ReadonlyArray<string>): string =>
  row
    .flatMap((value, column) => {
      const name = head[column]
      return value.trim() === "" ? [] : [name === undefined || name.trim() === "" ? value : `${name}: ${value}`]
    })
    .join("\n")

/** Some spreadsheets declare the separator in a first line. */
const NAMED_DELIMITER = /^sep=(.)\r?\n/i

const rowsIn = (text: string, delimiter: string): ReadonlyArray<ReadonlyArray<string>> => {
  const options = {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // A quote may follow a space.
    ltrim: true
  }
  try {
    return parse(text, options)
  } catch (error) {
    // A quote that is never closed is an ordinary character.
    if (error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED") {
      return parse(text, { ...options, quote: false })
    }
    throw error
  }
}

export const csvText = (text: string): Extracted => {
  const [before = "", named] = NAMED_DELIMITER.exec(text) ?? []
  const rows = rowsIn(text.slice(before.length), named ?? delimiterOf(text))
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
  return extractedText([...titles, ...lines].filter((line) => line !== "").join("\n\n"), {})
}
