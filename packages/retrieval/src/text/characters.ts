/** Borders between what a reader takes for single characters: emoji, letters with their accents, flags. */
import { once } from "../once.ts"

/** A longer run of marks and joiners is not a legible character, and is cut anywhere. */
const MAX_LENGTH = 64

const graphemes = once(() => new Intl.Segmenter("und", { granularity: "grapheme" }))

/** Plain letters, digits, signs and spaces never combine with the character before or after them. */
const isPlain = (code: number): boolean => code >= 32 && code < 127

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** The nearest boundary at or before `at` and after `least`; at worst, one that does not split a surrogate pair. */
export const borderBefore = (text: string, least: number, at: number): number => {
  if (at === 0 || at >= text.length) return Math.min(at, text.length)
  if (isPlain(text.charCodeAt(at)) && isPlain(text.charCodeAt(at - 1))) return at
  const from = Math.max(least, at - MAX_LENGTH, 0)
  const begins = from + (graphemes().segment(text.slice(from, at + MAX_LENGTH)).containing(at - from)?.index ?? 0)
  if (begins > least && begins > at - MAX_LENGTH) return begins
  return isLowSurrogate(text.charCodeAt(at)) && at - 1 > least ? at - 1 : at
}

export const isBorder = (text: string, least: number, at: number): boolean => borderBefore(text, least, at) === at
