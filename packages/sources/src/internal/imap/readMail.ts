/**
 * Parses a mail.
 *
 * Most mails are split and decoded here, which takes a fraction of the full parser's time, because that one goes
 * through every part line by line, including pictures. It parses only unusual mails.
 */
import { isUtf8 } from "node:buffer"
import PostalMime, { type Address, addressParser, decodeWords } from "postal-mime"
import { joinedWords } from "./mime/joinedWords.ts"
import { hasWords, type MimePart, mimeParts } from "./mime/mimeParts.ts"
import { fileBytesOf, textOf } from "./mime/partContent.ts"
import { undeclaredText } from "./mime/undeclaredText.ts"

interface Attached {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface MailContent {
  readonly subject: string | undefined
  readonly from: Address | undefined
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  readonly date: string | undefined
  readonly messageId: string | undefined
  readonly inReplyTo: string | undefined
  readonly references: string | undefined
  readonly text: string
  /** Used only if there is no text. */
  readonly html: string
  /** Attachments that may contain text. */
  readonly attachments: ReadonlyArray<Attached>
}

/** More than a person attaches. */
const MAX_ATTACHMENTS = 20

interface Sorted {
  /** The texts of a part, in display order. Alternatives count as one. */
  readonly texts: Map<MimePart, { readonly plain: Array<MimePart>; readonly html: Array<MimePart> }>
  readonly attached: Array<MimePart>
}

const sort = (part: MimePart, alternatives: MimePart | null, sorted: Sorted): Sorted => {
  const { disposition, parts, type: { value } } = part
  const isText = (value === "text/plain" || value === "text/html") && disposition.value !== "attachment"
  if (isText) {
    const shown = alternatives ?? part
    const texts = sorted.texts.get(shown) ?? { plain: [], html: [] }
    sorted.texts.set(shown, texts)
    texts[value === "text/html" ? "html" : "plain"].push(part)
  } else if (!value.startsWith("multipart/") && hasWords(value)) sorted.attached.push(part)
  for (const inner of parts) sort(inner, value === "multipart/alternative" ? part : alternatives, sorted)
  return sorted
}

/** Null if it had to be converted from the other format. */
const joined = (texts: Sorted["texts"], kind: "plain" | "html"): string | null => {
  const all = Array.from(texts.values(), (own) => own[kind])
  if (all.every((own) => own.length === 0)) return ""
  if (all.some((own) => own.length === 0)) return null
  const read = all.flat().map(textOf)
  return read.includes(null) ? null : read.join("\n")
}

const attachedOf = (part: MimePart): Attached | null => {
  const bytes = fileBytesOf(part)
  const name = part.disposition.parameters.get("filename") || part.type.parameters.get("name") || ""
  return bytes === null ? null : { name: decodeWords(name), type: part.type.value, bytes }
}

const quickly = (source: Uint8Array): MailContent | null => {
  const mail = mimeParts(Buffer.from(source.buffer, source.byteOffset, source.byteLength))
  if (mail === null) return null
  const { attached, texts } = sort(mail, null, { texts: new Map(), attached: [] })
  const text = joined(texts, "plain")
  const html = text === null || text.trim() !== "" ? "" : joined(texts, "html")
  const attachments = attached.slice(0, MAX_ATTACHMENTS).map(attachedOf)
  if (text === null || html === null || attachments.includes(null)) return null
  const all = (name: string) => (mail.fields.get(name) ?? []).map(joinedWords)
  const words = (name: string) => decodeWords(all(name)[0] ?? "") || undefined
  return {
    subject: words("subject"),
    from: all("from").slice(0, 1).flatMap((field) => addressParser(field))[0],
    to: all("to").flatMap((field) => addressParser(field)),
    cc: all("cc").flatMap((field) => addressParser(field)),
    date: all("date")[0],
    messageId: words("message-id"),
    inReplyTo: words("in-reply-to"),
    references: words("references"),
    text,
    html,
    attachments: attachments.filter((one) => one !== null)
  }
}

/** The parser assumes UTF-8 if no charset is declared. */
const declared = (source: Uint8Array): Uint8Array =>
  isUtf8(source) || /charset/i.test(Buffer.from(source).toString("latin1"))
    ? source
    : new TextEncoder().encode(undeclaredText(source))

const thoroughly = async (source: Uint8Array): Promise<MailContent> => {
  const { attachments, cc = [], date, from, html = "", inReplyTo, messageId, references, subject, text = "", to = [] } =
    await PostalMime.parse(declared(source))
  return {
    subject,
    from,
    to,
    cc,
    date,
    messageId,
    inReplyTo,
    references,
    text,
    html,
    attachments: attachments.filter(({ mimeType }) => hasWords(mimeType)).slice(0, MAX_ATTACHMENTS).map(
      ({ content, filename, mimeType }) => ({
        name: filename ?? "",
        type: mimeType,
        bytes: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content as ArrayBuffer)
      })
    )
  }
}

export const readMail = async (source: Uint8Array): Promise<MailContent> => quickly(source) ?? await thoroughly(source)
