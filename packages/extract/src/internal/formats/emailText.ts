/** A mail: sender and recipients, its text, and the text of its attachments. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import type { Address, Attachment, Email } from "postal-mime"
import { extractedText } from "../extractedText.ts"
import { type Format, formatOf } from "../formatOf.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"
import { htmlText } from "./htmlText.ts"
import { parseMail } from "./mailParser.ts"

/** More than a person attaches, with those of attached mails. Of further ones, only the names are kept. */
const MAX_ATTACHMENTS_READ = 20

const nameOf = (address: Address): string =>
  address.group === undefined
    ? address.name === "" ? address.address : `${address.name} <${address.address}>`
    : `${address.name}: ${address.group.map(nameOf).join(", ")}`

const header = (label: string, addresses: ReadonlyArray<Address> = []): string =>
  addresses.length === 0 ? "" : `${label}: ${addresses.map(nameOf).join(", ")}`

type Read = (format: Format, bytes: Uint8Array) => Promise<Extracted>

/** Of mails that are attached to each other. */
const MAX_DEPTH = 3

/** How attachments are read, and how many more are. */
interface Attached {
  readonly read: Read
  left: number
  /** Of the current mail. */
  depth: number
}

/** The text of an attachment. An attached mail has a subject as well. */
const contentOf = async (format: Format, bytes: Uint8Array, attached: Attached): Promise<string> => {
  if (format !== "message/rfc822") return (await attached.read(format, bytes)).text
  if (attached.depth === MAX_DEPTH) return ""
  attached.depth++
  const { text, title } = await mailText(bytes, attached).finally(() => attached.depth--)
  return title === null ? text : `Subject: ${title}\n${text}`
}

const attachmentText = async (attachment: Attachment, attached: Attached): Promise<string> => {
  const { content, filename, mimeType } = attachment
  const label = `Attachment: ${filename ?? mimeType}`
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
  const format = formatOf({ bytes, name: filename ?? "", contentType: mimeType })
  if (format === null || attached.left === 0) return label
  attached.left--
  // A damaged attachment does not make the mail unreadable.
  const text = await contentOf(format, bytes, attached).catch(() => "")
  return text === "" ? label : `${label}\n\n${text}`
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** The plain text, unless it says less than half of what the HTML does: then it only says that there is HTML. */
const bodyOf = ({ html = "", text = "" }: Email): string => {
  const [plain, rich] = [text.trim(), htmlText(html).text]
  return 2 * wordsIn(plain) < wordsIn(rich) ? rich : plain
}

const mailText = async (bytes: Uint8Array, attached: Attached): Promise<Extracted> => {
  const mail = await parseMail(bytes)
  const from = mail.from === undefined ? [] : [mail.from]
  const heads = [header("From", from), header("To", mail.to), header("Cc", mail.cc)]
  const parts = [heads.filter((line) => line !== "").join("\n"), bodyOf(mail)]
  let characters = parts[1]!.length
  for (const attachment of mail.attachments) {
    const text = await attachmentText(attachment, attached)
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    parts.push(text)
  }
  return extractedText(parts.filter((part) => part !== "").join("\n\n"), {
    title: mail.subject,
    authors: from.map(nameOf),
    date: mail.date
  })
}

/** `read` parses an attachment. */
export const emailText = (bytes: Uint8Array, read: Read): Promise<Extracted> =>
  mailText(bytes, { read, left: MAX_ATTACHMENTS_READ, depth: 0 })
