/** Texts of ASCII as bytes, which are read faster than characters. */

/** Longer texts are read as characters. */
export const MAX_ASCII = 1 << 14

/** The number of bytes that may be read beyond the end of a text. */
const ROOM = 16

const encoder = new TextEncoder()
const bytes = new Uint8Array(MAX_ASCII + ROOM)
const view = new DataView(bytes.buffer)
let last = ""
let lastIsAscii = true

/** The bytes of the last text. */
export const ascii = { bytes, view }

/** Whether `ascii` contains the text: false if it is long, or not ASCII. */
export const readAscii = (text: string): boolean => {
  // The same text is read for its words, and then for what each of them is.
  if (text === last) return lastIsAscii
  last = text
  lastIsAscii = text.length <= MAX_ASCII && encoder.encodeInto(text, bytes).written === text.length
  if (lastIsAscii) bytes[text.length] = 0
  return lastIsAscii
}
