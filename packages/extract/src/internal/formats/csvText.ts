/** The rows of a table whose values a character separates, whichever it is. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { CsvError, parse } from "csv-parse/sync"
import { extractedText } from "../extractedText.ts"
import { tableRows } from "./tableRows.ts"

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
  return extractedText(tableRows(rowsIn(text.slice(before.length), named ?? delimiterOf(text))), {})
}
