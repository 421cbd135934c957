/**
 * Decodes text files. The encoding is never guessed: a wrong guess would store, and later quote, text that nobody
 * wrote.
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

/** Where HTML pages declare their encoding. */
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

/** `decodeText` with a pause at each `yield`. */
export function* decodeParts(bytes: Uint8Array, contentType: string, charset = ""): Generator<void, string> {
  const page = contentType === "text/html" ? declared(bytes) : undefined
  const labels = [charset, page ?? ""].filter((label) => label !== "")
  const marked = markedUtf16(bytes)
  const inOrder = marked !== undefined
    ? [marked]
    : [...labels.filter((label) => SEVEN_BITS.test(label)), "utf-8", ...labels]
  let text: string | null = null
  for (const label of inOrder) text ??= yield* decoded(bytes, label)
  if (page !== undefined) text ??= yield* mostlyDecoded(bytes, page)
  if (text === null) throw new Damaged("The file is not valid UTF-8, so its text cannot be read for certain.")
  if (text.includes("\u0000")) throw new Damaged("The file holds NUL characters, so it is no text.")
  return text
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, which is removed. Any other text is decoded in the charset that its
 * sender declares, and a page as it declares itself, if nearly all of it is valid there. Throws an error with a message
 * for the sender.
 */
export const decodeText = (bytes: Uint8Array, contentType: string): string =>
  runGenerator(decodeParts(bytes, contentType))
