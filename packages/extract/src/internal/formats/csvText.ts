/** The rows of a table, each value after its column's name, so that a row is understandable by itself. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { parse } from "csv-parse/sync"
import { extractedText } from "../extractedText.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

const DELIMITERS = [",", ";", "\t", "|"] as const

/** The separator that the first line contains most often, outside quotes. */
const delimiterOf = (text: string): string => {
  const line = text.slice(0, 10_000).replaceAll(/"[^"]*"/g, "").split(/\r?\n/, 1)[0]!
  const times = (delimiter: string) => line.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => times(delimiter) > times(best) ? delimiter : best)
}

/** A header row: names are unique and not numbers. One column, often row numbers, may have no name. */
const isHead = (row: ReadonlyArray<string>): boolean =>
  new Set(row).size === row.length && row.some((name) => name.trim() !== "") &&
  row.every((name) => name.trim() === "" || Number.isNaN(Number(name)))

const rowText = (row: ReadonlyArray<string>, head: ReadonlyArray<string>): string =>
  row
    .flatMap((value, column) => {
      const name = head[column]
      return value.trim() === "" ? [] : [name === undefined || name.trim() === "" ? value : `${name}: ${value}`]
    })
    .join("\n")

/** Some spreadsheets declare the separator in a first line. */
const NAMED_DELIMITER = /^sep=(.)\r?\n/i

export const csvText = (text: string): Extracted => {
  const [before = "", named] = NAMED_DELIMITER.exec(text) ?? []
  const rows = parse(text.slice(before.length), {
    delimiter: named ?? delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true
  })
  const [first, ...rest] = rows
  const isNamed = first !== undefined && rest.length > 0 && isHead(first)
  const head = isNamed ? first : []
  // A long header that repeats in every row would inflate a small file.
  let characters = 0
  const lines = (isNamed ? rest : rows).map((row) => {
    const line = rowText(row, head)
    characters += line.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    return line
  })
  return extractedText(lines.filter((line) => line !== "").join("\n\n"), {})
}
