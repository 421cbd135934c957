/** The format of a dictionary: blocks of front-coded strings, and an index of the blocks. */

/** How many strings a block has. */
export const BLOCK = 16

/** How many bytes of a block's first string the index has. */
export const KEY = 8

const encoder = new TextEncoder()

/** Returns the number of bytes written. Most strings are short ASCII, for which `TextEncoder` is slow. */
export const encodeInto = (string: string, bytes: Uint8Array): number => {
  for (let at = 0; at < string.length; at++) {
    const code = string.charCodeAt(at)
    if (code >= 128) return encoder.encodeInto(string, bytes).written
    bytes[at] = code
  }
  return string.length
}
