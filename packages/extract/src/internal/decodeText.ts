/** Bytes to text. Only UTF-8 is taken: a wrong guess would store, and later quote, words that nobody wrote. */
import { Damaged } from "./Damaged.ts"

const looksLikeUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new Damaged("The file is not valid UTF-8, so its text cannot be read for certain.")
  }
}

/** The text, without a byte order mark. Throws `Damaged`. */
export const decodeText = (bytes: Uint8Array): string => {
  if (looksLikeUtf16(bytes)) throw new Damaged("The file is UTF-16. Send it in UTF-8.")
  const text = decoded(bytes)
  if (text.includes("\u0000")) throw new Damaged("The file holds NUL characters, so it is no text.")
  return text
}
