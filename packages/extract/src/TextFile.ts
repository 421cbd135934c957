/**
 * Decodes text files. Text that is not UTF-8 and declares no other encoding is taken for windows-1252, unless it cannot
 * be: a wrong guess would store, and later quote, text that nobody wrote.
 */
import { runGenerator } from "@tributary/core/runGenerator"
import { Damaged } from "./internal/Damaged.ts"

/** Bytes that are decoded between two pauses. */
const STEP = 262_144

function* decoded(bytes: Uint8Array, label: string, fatal = true): Generator<void, string | null> {
  const parts: Array<string> = []
  try {
    const decoder = new TextDecoder(label, { fatal })
    for (let start = 0; start < bytes.length; start += STEP) {
      if (start > 0) yield
      parts.push(decoder.decode(bytes.subarray(start, start + STEP), { stream: true }))
    }
    return parts.join("") + decoder.decode()
  } catch {
    return null
  }
}

const markedUtf16 = ([first, second]: Uint8Array): string | undefined =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined

const DECLARING = /^text\/html$|xml$/

/** Where HTML pages and XML declare their encoding. */
const DECLARED = /<(?:meta[^>]{0,200}charset|\?xml[^>]{0,200}encoding)\s*=\s*["']?\s*([\w.:-]+)/i
const DECLARED_WITHIN = 4_096
const COMMENT = /<!--[^]*?(?:-->|$)/g

const declared = (bytes: Uint8Array): string | undefined =>
  DECLARED.exec(Buffer.from(bytes.subarray(0, DECLARED_WITHIN)).toString("latin1").replaceAll(COMMENT, ""))?.[1]

/** With more than one invalid character in this number, a page is in another encoding than it declares. */
const FEW = 1_000

/** A page that other programs have cut or put together may contain a few invalid bytes. */
function* mostlyDecoded(bytes: Uint8Array, label: string): Generator<void, string | null> {
  const text = yield* decoded(bytes, label, false)
  return text !== null && (text.match(/\ufffd/g)?.length ?? 0) * FEW <= text.length ? text : null
}

/** The bytes of such a text are valid in UTF-8, too, and have another meaning there. */
const SEVEN_BITS = /^iso-2022-jp$/i
const UTF16 = /^utf-?16/i

const isDisguised = (label: string, bytes: Uint8Array): boolean =>
  SEVEN_BITS.test(label) || (UTF16.test(label) && bytes.includes(0))

const WESTERN = "windows-1252"

/** What programs declare of every text. */
const UTF8 = /^(?:utf-?8|us-ascii)$/i

const [LETTER, BEYOND_ASCII, NO_TEXT, OTHER] = [0, 1, 2, 3] as const

/** Of each byte; control characters that no text has, and what the encoding does not define, are no text. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (/[^\t-\r\x1a\x1b -~\x80\x82-\x8c\x8e\x91-\x9c\x9e-\xff]/.test(character)) return NO_TEXT
  return byte >= 0x80 ? BEYOND_ASCII : /[a-z]/i.test(character) ? LETTER : OTHER
})

/** Other scripts have encodings in which most letters are beyond ASCII. */
function* isWestern(bytes: Uint8Array): Generator<void, boolean> {
  const counts = new Uint32Array(4)
  for (let start = 0; start < bytes.length; start += STEP) {
    if (start > 0) yield
    for (const byte of bytes.subarray(start, start + STEP)) counts[KINDS[byte]!]!++
    if (counts[NO_TEXT] !== 0) return false
  }
  return counts[BEYOND_ASCII]! <= counts[LETTER]!
}

/** `decodeText` with a pause at each `yield`. */
export function* decodeParts(bytes: Uint8Array, contentType: string, charset = ""): Generator<void, string> {
  const page = DECLARING.test(contentType) ? declared(bytes) : undefined
  const labels = [charset, page ?? ""].filter((label) => label !== "")
  const marked = markedUtf16(bytes)
  const inOrder = marked !== undefined
    ? [marked]
    : [...labels.filter((label) => isDisguised(label, bytes)), "utf-8", ...labels]
  let text: string | null = null
  for (const label of inOrder) text ??= yield* decoded(bytes, label)
  if (page !== undefined) text ??= yield* mostlyDecoded(bytes, page)
  const isDeclared = marked !== undefined || labels.some((label) => !UTF8.test(label))
  if (text === null && !isDeclared && (yield* isWestern(bytes))) text = yield* decoded(bytes, WESTERN)
  if (text === null) throw new Damaged("The file is not valid UTF-8, and its encoding is not known.")
  if (text.includes("\u0000")) throw new Damaged("The file holds NUL characters, so it is no text.")
  return text
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, which is removed. Any other text is decoded in the charset that its
 * sender declares, and a page as it declares itself, if nearly all of it is valid there. Text without such a declaration is
 * decoded as windows-1252. Throws an error with a message for the sender.
 */
export const decodeText = (bytes: Uint8Array, contentType: string): string =>
  runGenerator(decodeParts(bytes, contentType))
