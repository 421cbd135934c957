/** Long texts in pages, cut between characters, for as long as the document stays the same. */
import { Schema } from "effect"

/** In UTF-16 code units. */
export const PAGE = 200_000

/** The version that a reader began with, and how far it has come. */
const position = /^([0-9]{1,9})@(.{1,40})$/

export const Cursor = Schema.String.check(Schema.isMaxLength(64), Schema.isPattern(position))

const startsPair = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text.charAt(at))

/** Null when the document has changed since the cursor was made. */
export const pageOf = (text: string, version: string, cursor: string | undefined | null) => {
  const [, offset = "0", begun = version] = position.exec(cursor ?? "") ?? []
  if (begun !== version || Number(offset) > text.length) return null
  const start = Number(offset)
  const end = Math.min(text.length, start + PAGE)
  const cut = end < text.length && startsPair(text, end - 1) ? end - 1 : end
  return { text: text.slice(start, cut), next: cut < text.length ? `${cut}@${version}` : null }
}
