/** Who wrote a text and when, as it says itself. */
import { toStorable } from "../model/Text.ts"
import type { Extracted } from "../ports/TextExtractor.ts"

/** A hostile page names thousands. */
const MAX_AUTHORS = 20

/** As much of a text as a value of metadata may be. */
export const metadataValue = (text: string): string => toStorable(text.slice(0, 2_000))

const joined = (authors: ReadonlyArray<string>): string => metadataValue(authors.slice(0, MAX_AUTHORS).join(", "))

/** Metadata for those who look for it, or are shown it. */
const provenance = ({ authors = [], date }: Extracted): Readonly<Record<string, string>> => ({
  ...(authors.length === 0 ? {} : { author: joined(authors) }),
  ...(date === undefined ? {} : { date: date.toISOString() })
})

/**
 * A line that names the authors, so that words find them and answers quote them; without those whom the text itself
 * credits, as mails do (`From: Ada`).
 */
const credit = ({ authors = [], text }: Extracted): string => {
  const unnamed = authors.slice(0, MAX_AUTHORS).filter((author) => !text.includes(`: ${author}`))
  return unnamed.length === 0 ? "" : `Author: ${joined(unnamed)}`
}

export const paragraphs = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n\n")

/** The text below its credit, whichever way it came: pushed, uploaded or pulled. */
export const credited = (extracted: Extracted) => ({
  text: paragraphs([credit(extracted), extracted.text]),
  metadata: provenance(extracted)
})
