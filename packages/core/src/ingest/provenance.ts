/** The authors and the date that a text names itself. */
import { toStorable } from "../model/Text.ts"
import type { Extracted } from "../ports/TextExtractor.ts"

/** A hostile page names thousands. */
const MAX_AUTHORS = 20

/** Cut to the length of a metadata value. */
export const metadataValue = (text: string): string => toStorable(text.slice(0, 2_000))

const joined = (authors: ReadonlyArray<string>): string => metadataValue(authors.slice(0, MAX_AUTHORS).join(", "))

const NOTHING: Readonly<Record<string, string>> = {}

/** As metadata, for filters and display. */
export const provenance = ({ authors = [], date }: Extracted): Readonly<Record<string, string>> =>
  authors.length === 0 && date === undefined ? NOTHING : {
    ...(authors.length === 0 ? {} : { author: joined(authors) }),
    ...(date === undefined ? {} : { date: date.toISOString() })
  }

/**
 * A line with the authors, so that searches find them and answers quote them; without those whom the text already
 * names, as mails do (`From: Ada`).
 */
const credit = ({ authors = [], text }: Extracted): string => {
  const unnamed = authors.slice(0, MAX_AUTHORS).filter((author) => !text.includes(`: ${author}`))
  return unnamed.length === 0 ? "" : `Author: ${joined(unnamed)}`
}

export const paragraphs = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n\n")

/** Puts the author line before a text, whether it was pushed, uploaded or pulled. */
export const textWithAuthor = (extracted: Extracted): string => paragraphs([credit(extracted), extracted.text])
