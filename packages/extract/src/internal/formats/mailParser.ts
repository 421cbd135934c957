/**
 * Parses a mail. The library does not report the charset of an attachment, so texts are converted to UTF-8 before it
 * returns them.
 */
import { isUtf8 } from "node:buffer"
import PostalMime, { type Email, type PostalMimeOptions } from "postal-mime"

interface Part {
  readonly contentType: {
    readonly parsed: { readonly value: string; readonly params: Readonly<Record<string, string>> }
  }
}

/** What the library does not declare. */
interface Collecting {
  collectAttachment(part: Part, content: ArrayBuffer, ...others: ReadonlyArray<unknown>): void
}

const Parser = PostalMime as unknown as new(options: PostalMimeOptions) => PostalMime & Collecting

/** Its bytes are valid in UTF-8, too, and have another meaning there. */
const SEVEN_BITS = /^iso-2022-/i

const inUtf8 = (content: ArrayBuffer, charset: string): ArrayBuffer => {
  if (isUtf8(content) && !SEVEN_BITS.test(charset)) return content
  try {
    return new TextEncoder().encode(new TextDecoder(charset, { fatal: true }).decode(content)).buffer
  } catch {
    return content
  }
}

class ConvertingParser extends Parser {
  override collectAttachment(part: Part, content: ArrayBuffer, ...others: ReadonlyArray<unknown>): void {
    const { params, value } = part.contentType.parsed
    const { charset = "" } = params
    const isText = value.startsWith("text/") && value !== "text/calendar" && charset !== ""
    super.collectAttachment(part, isText ? inUtf8(content, charset) : content, ...others)
  }
}

/** Mail programs take bytes without a charset for UTF-8 or else for Western European. The library knows only UTF-8. */
const declared = (bytes: Uint8Array): Uint8Array =>
  isUtf8(bytes) || /charset/i.test(Buffer.from(bytes).toString("latin1"))
    ? bytes
    : new TextEncoder().encode(new TextDecoder("windows-1252").decode(bytes))

/** Each mail within a mail is parsed again. Deeper ones are attachments. */
const MAX_NESTED = 3

export const parseMail = (bytes: Uint8Array): Promise<Email> =>
  new ConvertingParser({ maxRfc822NestingDepth: MAX_NESTED }).parse(declared(bytes))
