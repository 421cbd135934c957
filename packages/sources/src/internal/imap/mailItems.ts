/** A mail as documents: itself, and what is attached to it. */
import type { PulledItem } from "@tributary/core/ports/Provider"
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime"
import { filled, storable } from "../storable.ts"
import { takeBodies } from "./Bodies.ts"
import type { MailTask } from "./MailReader.ts"

/** More than a person attaches. */
const MAX_ATTACHMENTS = 20

const nameOf = (address: Address): string =>
  address.group === undefined
    ? address.name === "" ? address.address : `${address.name} <${address.address}>`
    : `${address.name}: ${address.group.map(nameOf).join(", ")}`

/** The first mail of a conversation names it. */
const threadOf = ({ inReplyTo, messageId, references }: Email): string | undefined =>
  /<[^<>\s]+>/.exec(references ?? "")?.[0] ?? /<[^<>\s]+>/.exec(inReplyTo ?? "")?.[0] ?? messageId

const hasWords = ({ mimeType }: Attachment): boolean => !/^(image|audio|video|font)\//.test(mimeType)

const dateOf = (text: string | undefined, received: Date): Date => {
  const date = new Date(text ?? "")
  return Number.isNaN(date.getTime()) ? received : date
}

const contentOf = ({ content }: Attachment): Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content as ArrayBuffer)

const parsed = async (source: Uint8Array) => {
  const { content, light, restored } = takeBodies(source)
  const mail = await PostalMime.parse(light)
  const text = restored(mail.text, false)
  const html = restored(mail.html, true)
  if (text !== null && (html !== null || text.trim() !== "")) {
    return { mail, text, html, bytesOf: (attachment: Attachment) => content(contentOf(attachment)) }
  }
  const whole = await PostalMime.parse(source)
  return { mail: whole, text: whole.text ?? "", html: whole.html ?? "", bytesOf: contentOf }
}

/** The mail first; its attachments are numbered in its order. */
export const mailItems = async ({ id, received, source }: MailTask): Promise<ReadonlyArray<PulledItem>> => {
  const { bytesOf, html, mail, text } = await parsed(source)
  const timestamp = dateOf(mail.date, received)
  const email: PulledItem = {
    external_id: id,
    timestamp,
    payload: {
      kind: "email",
      ...filled({
        subject: mail.subject,
        from: mail.from === undefined ? null : nameOf(mail.from),
        to: mail.to?.map(nameOf),
        cc: mail.cc?.map(nameOf),
        body: text,
        body_html: text.trim() === "" ? html : null,
        thread_id: threadOf(mail)
      })
    },
    ...(mail.messageId === undefined ? {} : { metadata: { message_id: storable(mail.messageId).slice(0, 2_000) } })
  }
  const attached = mail.attachments.filter(hasWords).slice(0, MAX_ATTACHMENTS).map((attachment, at): PulledItem => ({
    external_id: `${id}.${at + 1}`,
    timestamp,
    file: {
      bytes: bytesOf(attachment),
      name: storable(attachment.filename ?? ""),
      contentType: attachment.mimeType
    },
    metadata: { attached_to: id }
  }))
  return [email, ...attached]
}
