/** A mail: sender and recipients, its text, and the text of its attachments. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { mailText, readMail } from "../../Mail.ts"
import type { Attached } from "../mail/Attached.ts"
import { extractedText } from "../extractedText.ts"
import { type Format, formatOf } from "../formatOf.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"

/** More than a person attaches, with those of attached mails. Of further ones, only the names are kept. */
const MAX_ATTACHMENTS_READ = 20

type Read = (format: Format, bytes: Uint8Array) => Promise<Extracted>

/** Of mails that are attached to each other. */
const MAX_DEPTH = 3

/** How attachments are read, and how many more are. */
interface Reading {
  readonly read: Read
  left: number
  /** Of the current mail. */
  depth: number
}

/** The text of an attachment. An attached mail has a subject as well. */
const contentOf = async (format: Format, bytes: Uint8Array, reading: Reading): Promise<string> => {
  if (format !== "message/rfc822" && format !== "application/ms-tnef") return (await reading.read(format, bytes)).text
  if (reading.depth === MAX_DEPTH) return ""
  reading.depth++
  const { text, title } = await textOf(bytes, reading).finally(() => reading.depth--)
  return title === null ? text : `Subject: ${title}\n${text}`
}

const attachmentText = async ({ bytes, name, type }: Attached, reading: Reading): Promise<string> => {
  const label = `Attachment: ${name || type}`
  if (reading.left === 0) return label
  const content = bytes()
  const format = formatOf({ bytes: content, name, contentType: type })
  if (format === null) return label
  reading.left--
  // A damaged attachment does not make the mail unreadable.
  const text = await contentOf(format, content, reading).catch(() => "")
  return text === "" ? label : `${label}\n\n${text}`
}

const textOf = async (bytes: Uint8Array, reading: Reading): Promise<Extracted> => {
  const mail = readMail(bytes)
  const parts = [mailText(mail)]
  let characters = parts[0]!.length
  for (const attachment of mail.attachments) {
    const text = await attachmentText(attachment, reading)
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    parts.push(text)
  }
  return extractedText(parts.filter((part) => part !== "").join("\n\n"), {
    title: mail.subject,
    authors: [mail.from],
    date: mail.date
  })
}

/** `read` parses an attachment. */
export const emailText = (bytes: Uint8Array, read: Read): Promise<Extracted> =>
  textOf(bytes, { read, left: MAX_ATTACHMENTS_READ, depth: 0 })

/** The line before each mail of a mailbox in one file (RFC 4155): its sender, and when it came. */
const MAIL_BEGINS = /(?:^|\n\r?\n)From [^\r\n]{1,1000}\d{4}[ \t]*\r?\n/g

/** Such a line within a mail has a mark. */
const MARKED = /^>(?=>*From )/gm

const mailsIn = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1").split(MAIL_BEGINS)
    .filter((mail) => mail.trim() !== "").map((mail) => Buffer.from(mail.replaceAll(MARKED, ""), "latin1"))

/** All mails of a mailbox in one file. */
export const mailboxText = async (bytes: Uint8Array, read: Read): Promise<Extracted> => {
  const texts: Array<string> = []
  let characters = 0
  for (const mail of mailsIn(bytes)) {
    const { date, text, title } = await emailText(mail, read)
    const heads = [title === null ? "" : `Subject: ${title}`, date === undefined ? "" : `Date: ${date.toISOString()}`]
    const whole = [...heads, text].filter((part) => part !== "").join("\n")
    characters += whole.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    texts.push(whole)
  }
  return extractedText(texts.join("\n\n"), {})
}
