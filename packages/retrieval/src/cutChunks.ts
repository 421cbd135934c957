/** Cutting a text into the passages that are found and quoted: about a hundred words, at the ends of sentences. */

const TARGET = 600

/** However long a text is, it has no more chunks than this: they all fit one segment. */
const MOST_CHUNKS = 60_000

/** Of the characters before a cut, so many may be given up to end at the end of a sentence, or of a word. */
const SLACK = 0.5

const SENTENCE_END = /[.!?\u2026][)\]"'\u201d\u2019]*\s|[\u3002\uff01\uff1f]|\n/gu

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const EXTENDS = /^[\p{M}\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/u

/** A cut that is so far into marks and joiners that nobody reads it as one character any more. */
const LONGEST_CLUSTER = 64

/** The nearest place at or before `at` where no character is split. */
const wholeCharacter = (text: string, start: number, at: number): number => {
  for (let back = 0; back < LONGEST_CLUSTER && at - back > start + 1; back++) {
    const place = at - back
    if (isLowSurrogate(text.charCodeAt(place)) || text.charCodeAt(place - 1) === 0x200d) continue
    if (!EXTENDS.test(text.slice(place, place + 2))) return place
  }
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at
}

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

const cutAfter = (text: string, start: number, target: number): number => {
  const limit = start + target
  if (limit >= text.length) return text.length
  const from = start + Math.floor(target * SLACK)
  const sentence = lastSentenceEnd(text, from, limit)
  if (sentence !== -1) return sentence
  const space = lastSpace(text, from, limit)
  return space === -1 ? wholeCharacter(text, start, limit) : space
}

/** Joined, the chunks are exactly the text; an empty text has none. */
export const cutChunks = (text: string): ReadonlyArray<string> => {
  // With the slack a chunk may be half as long as its target.
  const target = Math.max(TARGET, Math.ceil(text.length / (MOST_CHUNKS * SLACK)))
  const chunks: Array<string> = []
  for (let start = 0; start < text.length;) {
    const end = cutAfter(text, start, target)
    chunks.push(text.slice(start, end))
    start = end
  }
  return chunks
}
