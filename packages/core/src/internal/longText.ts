/** Work on texts of up to many megabytes, in parts. */

/** In UTF-16 code units. */
export const PART = 65_536

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** Consecutive parts of a text, which split no pair of surrogates. */
export function* partsOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const most = start + PART
    const end = most < text.length && isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most
    yield text.slice(start, end)
    start = end
  }
}

const encoder = new TextEncoder()
// Ten times as fast as a new array for each text.
const scratch = new Uint8Array(3 * PART)

/** The UTF-8 length of a text. Pauses at each `yield`. */
export function* byteLength(text: string): Generator<void, number> {
  if (text.length <= PART) return encoder.encodeInto(text, scratch).written
  let length = 0
  for (const part of partsOf(text)) {
    length += encoder.encodeInto(part, scratch).written
    yield
  }
  return length
}

/** Texts of a batch that are worked on in one piece. */
const SHORT = 500_000

interface Texts {
  readonly chunks: ReadonlyArray<string>
  readonly payload: string | null
}

/** Whether the texts of a batch are long together. */
export const hasLongText = (items: ReadonlyArray<Texts>): boolean => {
  let length = 0
  return items.some(({ chunks, payload }) => {
    length += chunks.reduce((sum, chunk) => sum + chunk.length, payload?.length ?? 0)
    return length > SHORT
  })
}
