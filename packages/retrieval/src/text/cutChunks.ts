/** Cutting a text into the passages that are found and quoted: about a hundred words, at the ends of sentences. */
import { borderBefore, isBorder } from "./characters.ts"
import { CLOSING } from "./closing.ts"

const TARGET = 600

/** However long a text is, it has no more chunks than this: they all fit one segment. */
const MAX_CHUNKS = 60_000

/** A cut may move back by this share of the characters to the end of a sentence or a word. */
const SLACK = 0.5

/** The limit of its length with what aligns the cells of tables, as a multiple of the target. */
const WIDEST = 4

const SENTENCE_END = new RegExp(`[.!?\\u2026]${CLOSING}{0,8}\\s|[\\u3002\\uff01\\uff1f]${CLOSING}{0,8}|\\n`, "gu")

const lastSentenceEnd = (text: string, from: number, to: number): number => {
  let end = -1
  for (const match of text.slice(from, to).matchAll(SENTENCE_END)) end = from + match.index + match[0].length
  return end
}

const lastSpace = (text: string, from: number, to: number): number => {
  for (let at = to; at > from; at--) {
    if (/\s/.test(text[at - 1]!)) return at
  }
  return -1
}

const ALIGNMENT = / {3,}|-{4,}/g
const CELL_END = /^:? ?\|/

const isAlignment = (text: string, start: number, end: number): boolean =>
  text[start - 1] === "|" || CELL_END.test(text.slice(end, end + 3))

/** How many characters make a chunk of the target's length: what aligns cells counts as one, however wide they are. */
const lengthFrom = (text: string, start: number, target: number): number => {
  if (!text.slice(start, start + target).includes("|")) return target
  let length = target
  for (const { 0: run, index } of text.slice(start, start + WIDEST * target).matchAll(ALIGNMENT)) {
    if (index >= length) break
    if (isAlignment(text, start + index, start + index + run.length)) length += run.length - 1
  }
  return Math.min(length, WIDEST * target)
}

const cutAfter = (text: string, start: number, target: number): number => {
  if (start + target >= text.length) return text.length
  const length = lengthFrom(text, start, target)
  const limit = start + length
  if (limit >= text.length) return text.length
  const from = start + Math.floor(length * SLACK)
  const sentence = lastSentenceEnd(text, from, limit)
  if (sentence !== -1 && isBorder(text, start, sentence)) return sentence
  const space = lastSpace(text, from, limit)
  return borderBefore(text, start, space === -1 ? limit : space)
}

/** Yields the chunks in order. Joined, they are exactly the text; an empty text has none. */
export function* chunksOf(text: string): Generator<string, void> {
  // With the slack, a chunk may be half as long as its target.
  const target = Math.max(TARGET, Math.ceil(text.length / (MAX_CHUNKS * SLACK)))
  for (let start = 0; start < text.length;) {
    const end = cutAfter(text, start, target)
    yield text.slice(start, end)
    start = end
  }
}

/** All chunks at once. */
export const cutChunks = (text: string): ReadonlyArray<string> => [...chunksOf(text)]
