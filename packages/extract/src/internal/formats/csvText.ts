/** The rows of a table, each value behind the head of its column, so that a row says what it means by itself. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { parse } from "csv-parse/sync"
import { described } from "../described.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

const DELIMITERS = [",", ";", "\t", "|"] as const

/** The one that the first line has most of, outside quotes. */
const delimiterOf = (text: string): string => {
  const line = text.slice(0, 10_000).replaceAll(/"[^"]*"/g, "").split(/\r?\n/, 1)[0]!
  const times = (delimiter: string) => line.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => times(delimiter) > times(best) ? delimiter : best)
}

/** A first row of names: each is there once, and none is a number. One column, often the rows' numbers, may have none. */
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

/** Some spreadsheets name it in a line of its own before the table. */
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
  // A long head that repeats in every row makes more of a small file than it is.
  let characters = 0
  const lines = (isNamed ? rest : rows).map((row) => {
    const line = rowText(row, head)
    characters += line.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    return line
  })
  return described(lines.filter((line) => line !== "").join("\n\n"), {})
}
