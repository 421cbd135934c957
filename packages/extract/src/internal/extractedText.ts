/** The result of parsing a file, normalized. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"

export interface ParsedFile {
  readonly title?: string | null | undefined
  readonly authors?: ReadonlyArray<string | null | undefined>
  /** Anything that may contain a date; other values are ignored. */
  readonly date?: string | Date | null | undefined
}

// Databases cannot store NUL or unpaired surrogates.
const clean = (text: string): string => text.toWellFormed().replaceAll("\u0000", "")

/** Longer than any stored title or name. */
const LONGEST = 10_000

const said = (text: string | null | undefined): string =>
  clean((text ?? "").trim().slice(0, LONGEST)).replaceAll(/\s+/g, " ").trim()

// Independent of the machine's time zone.
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/

const inUtc = (date: string): string => WITHOUT_ZONE.test(date) ? `${date.replace(" ", "T")}Z` : date

export const extractedText = (text: string, { authors = [], date, title }: ParsedFile): Extracted => {
  const moment = new Date(typeof date === "string" ? inUtc(date.trim()) : date ?? NaN)
  const names = [...new Set(authors.map(said))].filter((name) => name !== "")
  return {
    title: said(title) || null,
    text: clean(text),
    ...(names.length === 0 ? {} : { authors: names }),
    ...(Number.isNaN(moment.getTime()) ? {} : { date: moment })
  }
}
