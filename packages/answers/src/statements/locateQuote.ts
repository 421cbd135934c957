/** Position of a quote in a text, ignoring typography, white space, Unicode forms, case and Markdown. */
import { type Span, UNSPACED } from "@tributary/retrieval"
import { type FoldedText, foldText } from "./foldText.ts"

const WORD = /[\p{L}\p{M}\p{N}]/u

/** Without spaces between words, a quote may end anywhere. */
const isInsideWord = (before: string, after: string): boolean =>
  WORD.test(before) && WORD.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)

/** "1" is no quote of "1.5", nor of "11", nor of "-1". */
const isInsideNumber = (before: string, after: string): boolean =>
  (/\d[.,:]?$/.test(before) && /^[.,:]?\d/.test(after)) || (/(?:^|[\s(])-$/.test(before) && /^\d/.test(after))

const isBoundary = ({ ends, text }: FoldedText, at: number): boolean => {
  if (at === 0 || at === text.length) return true
  if (ends[at - 1] === ends[at]) return false
  const before = text.slice(Math.max(0, at - 2), at)
  const after = text.slice(at, at + 2)
  const last = [...before].at(-1) ?? ""
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return !isInsideWord(last, first) && !isInsideNumber(before, after)
}

const locatePart = (
  text: FoldedText,
  part: string,
  from: number
): { readonly at: number; readonly end: number } | null => {
  for (let at = text.text.indexOf(part, from); at >= 0; at = text.text.indexOf(part, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + part.length)) return { at, end: at + part.length }
  }
  return null
}

const trimmed = (folded: string): string => folded.replace(/^[\s']+|[\s']+$/g, "")

const locateParts = (text: FoldedText, parts: ReadonlyArray<string>): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let from = 0
  for (const part of parts) {
    const found = part === "" ? null : locatePart(text, part, from)
    if (found === null) return []
    spans.push({ start: text.starts[found.at]!, end: text.ends[found.end - 1]! })
    from = found.end
  }
  return spans
}

const ELLIPSIS = /[[(]?\.{3,}[\])]?/

/** One span, or one for each part of a quote that was shortened by dots; empty if any part is not in the text. */
export const locateQuote = (text: FoldedText, quote: string): ReadonlyArray<Span> => {
  const whole = trimmed(foldText(quote).text)
  const parts = whole.split(ELLIPSIS).map(trimmed).filter((part) => part !== "")
  const candidates = [[whole], [whole.replace(/[.,;:!?]+$/, "")], parts.length > 1 ? parts : []]
  for (const candidate of candidates) {
    const spans = locateParts(text, candidate)
    if (spans.length > 0) return spans
  }
  return []
}
