/** The result of parsing a file, normalized. */
import { dateOf } from "@tributary/core/dateOf"
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
const MAX_LENGTH = 10_000

const said = (text: string | null | undefined): string =>
  clean((text ?? "").trim().slice(0, MAX_LENGTH)).replaceAll(/\s+/g, " ").trim()

export const extractedText = (text: string, { authors = [], date, title }: ParsedFile): Extracted => {
  const moment = typeof date === "string" ? dateOf(date) : date ?? null
  const names = [...new Set(authors.map(said))].filter((name) => name !== "")
  return {
    title: said(title) || null,
    text: clean(text),
    ...(names.length === 0 ? {} : { authors: names }),
    ...(moment === null || Number.isNaN(moment.getTime()) ? {} : { date: moment })
  }
}
