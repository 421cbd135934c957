/** A mail: sender and recipients, its text, and the text of its attachments. */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime"
import { extractedText } from "../extractedText.ts"
import { type Format, formatOf } from "../formatOf.ts"
import { MAX_CHARACTERS, tooMuchText } from "../limits.ts"
import { htmlText } from "./htmlText.ts"

/** More than a person attaches. Of further ones, only the names are kept. */
const MAX_ATTACHMENTS_READ = 20

const nameOf = (address: Address): string =>
  address.group === undefined
    ? address.name === "" ? address.address : `${address.name} <${address.address}>`
    : `${address.name}: ${address.group.map(nameOf).join(", ")}`

const header = (label: string, addresses: ReadonlyArray<Address> = []): string =>
  addresses.length === 0 ? "" : `${label}: ${addresses.map(nameOf).join(", ")}`

type Read = (format: Format, bytes: Uint8Array) => Promise<Extracted>

/** A nested mail is parsed in place; mails attached to that are not. */
const attachmentText = async (attachment: Attachment, read: Read): Promise<string> => {
  const { content, filename, mimeType } = attachment
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
  const format = formatOf({ bytes, name: filename ?? "", contentType: mimeType })
  const label = `Attachment: ${filename ?? mimeType}`
  if (format === null || format === "message/rfc822") return label
  // A damaged attachment does not make the mail unreadable.
  const text = await read(format, bytes).then((extracted) => extracted.text, () => "")
  return text === "" ? label : `${label}\n\n${text}`
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** The plain text, unless it says less than half of what the HTML does: then it only says that there is HTML. */
const bodyOf = ({ html = "", text = "" }: Email): string => {
  const [plain, rich] = [text.trim(), htmlText(html).text]
  return 2 * wordsIn(plain) < wordsIn(rich) ? rich : plain
}

/** `read` parses an attachment. */
export const emailText = async (bytes: Uint8Array, read: Read): Promise<Extracted> => {
  const mail = await PostalMime.parse(bytes)
  const from = mail.from === undefined ? [] : [mail.from]
  const heads = [header("From", from), header("To", mail.to), header("Cc", mail.cc)]
  const body = bodyOf(mail)
  const attached: Array<string> = []
  let characters = body.length
  for (const [index, attachment] of mail.attachments.entries()) {
    const text = index < MAX_ATTACHMENTS_READ
      ? await attachmentText(attachment, read)
      : `Attachment: ${attachment.filename}`
    characters += text.length
    if (characters > MAX_CHARACTERS) throw tooMuchText()
    attached.push(text)
  }
  const parts = [heads.filter((line) => line !== "").join("\n"), body, ...attached]
  return extractedText(parts.filter((part) => part !== "").join("\n\n"), {
    title: mail.subject,
    authors: from.map(nameOf),
    date: mail.date
  })
}
