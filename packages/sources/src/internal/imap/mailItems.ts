/** A mail as documents: itself, and what is attached to it. */
import type { PulledItem } from "@tributary/core/ports/Provider"
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime"
import { filled, storable } from "../storable.ts"

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

/** The mail first; its attachments are numbered in its order. */
export const mailItems = async (id: string, source: Uint8Array, received: Date): Promise<ReadonlyArray<PulledItem>> => {
  const mail = await PostalMime.parse(source)
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
        body: mail.text,
        body_html: mail.text?.trim() ? null : mail.html,
        thread_id: threadOf(mail)
      })
    },
    ...(mail.messageId === undefined ? {} : { metadata: { message_id: storable(mail.messageId).slice(0, 2_000) } })
  }
  const attached = mail.attachments.filter(hasWords).slice(0, MAX_ATTACHMENTS).map((attachment, at): PulledItem => ({
    external_id: `${id}.${at + 1}`,
    timestamp,
    file: {
      bytes: contentOf(attachment),
      name: storable(attachment.filename ?? ""),
      contentType: attachment.mimeType
    },
    metadata: { attached_to: id }
  }))
  return [email, ...attached]
}
