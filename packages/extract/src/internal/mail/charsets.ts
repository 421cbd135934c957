/** The charsets of mails. */
import iconv from "iconv-lite"
import { isUtf8 } from "node:buffer"

const utf8 = new TextDecoder("utf-8")
const western = new TextDecoder("windows-1252")

/** How mail programs show bytes without a declared charset. */
export const undeclaredText = (bytes: Uint8Array): string => (isUtf8(bytes) ? utf8 : western).decode(bytes)

type Decode = (bytes: Uint8Array) => string

/** Null for an unknown charset. */
const newDecoder = (charset: string): Decode | null => {
  try {
    const decoder = new TextDecoder(charset)
    return (bytes) => decoder.decode(bytes)
  } catch {
    // What browsers do not know, as UTF-7 and code page 850. Encodings such as base64 are no charsets.
    const isCharset = iconv.encodingExists(charset) && !Buffer.isEncoding(charset)
    return isCharset ? (bytes) => iconv.decode(bytes, charset) : null
  }
}

const decoders = new Map<string, Decode>()

/** More than there are charsets. Each has any number of spellings. */
const MAX_DECODERS = 100

const decoderOf = (charset: string): Decode | null => {
  const known = decoders.get(charset)
  if (known !== undefined) return known
  const decoder = newDecoder(charset)
  if (decoders.size >= MAX_DECODERS) decoders.clear()
  if (decoder !== null) decoders.set(charset, decoder)
  return decoder
}

/** Mails that declare ASCII contain other characters as often as those that declare nothing. */
const ASCII = /^(us-ascii|ascii|ansi_x3\.4-1968|)$/

/** `charset` in lower case. Null if it is unknown. */
export const decoded = (bytes: Uint8Array, charset: string): string | null =>
  ASCII.test(charset) ? undeclaredText(bytes) : decoderOf(charset)?.(bytes) ?? null

/** Charsets of letters in one byte each, in which no text has the sequences of UTF-8. */
const LETTERS = /^(?:iso-?8859-|windows-125|cp125|latin)/

/** In an unknown charset, it is as if undeclared. Programs that write UTF-8 declare what they wrote before. */
export const shownText = (bytes: Uint8Array, charset: string): string => {
  const declared = charset.toLowerCase()
  return LETTERS.test(declared) && isUtf8(bytes)
    ? utf8.decode(bytes)
    : decoded(bytes, declared) ?? undeclaredText(bytes)
}

/** The bytes of such a text may be valid in UTF-8, too, and have another meaning there. */
const DISGUISED = /^(utf-?7|unicode-1-1-utf-7|utf-?16|utf-?32|ucs-?2|iso-2022-|hz-)/

/** Whether a text is in UTF-8, whatever it declares. */
export const isPlainUtf8 = (bytes: Uint8Array, charset: string): boolean => isUtf8(bytes) && !DISGUISED.test(charset)
