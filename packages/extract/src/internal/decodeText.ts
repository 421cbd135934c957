/** Bytes to text. Nothing is guessed: a wrong guess would store, and later quote, words that nobody wrote. */
import { Damaged } from "./Damaged.ts"

const decoded = (bytes: Uint8Array, label: string): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const markedUtf16 = ([first, second]: Uint8Array): string | undefined =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined

/**
 * UTF-8, or UTF-16 with a byte order mark, which is not part of the text; what is no UTF-8 is what it `declared` to be.
 * Throws `Damaged`.
 */
export const decodeText = (bytes: Uint8Array, declared?: string): string => {
  const text = decoded(bytes, markedUtf16(bytes) ?? "utf-8") ??
    (declared === undefined ? null : decoded(bytes, declared))
  if (text === null) throw new Damaged("The file is not valid UTF-8, so its text cannot be read for certain.")
  if (text.includes("\u0000")) throw new Damaged("The file holds NUL characters, so it is no text.")
  return text
}
