/** A mail as documents: the mail and its attachments. */
import type { PulledItem } from "@tributary/core/ports/Provider"
import type { Address } from "postal-mime"
import { dateOf } from "../../dateOf.ts"
import { filled, metadataValue, storable } from "../../storable.ts"
import type { MailTask } from "../MailReader.ts"
import { type MailContent, readMail } from "../readMail.ts"

const nameOf = (address: Address): string =>
  address.group === undefined
    ? address.name === "" ? address.address : `${address.name} <${address.address}>`
    : `${address.name}: ${address.group.map(nameOf).join(", ")}`

const MESSAGE_ID = /<[^<>\s]{1,1000}>/

/** The first mail of a conversation gives it its id. */
const threadOf = ({ inReplyTo, messageId, references }: MailContent): string | undefined =>
  MESSAGE_ID.exec(references ?? "")?.[0] ?? MESSAGE_ID.exec(inReplyTo ?? "")?.[0] ?? messageId

/** The mail first; its attachments are numbered in order. */
export const mailItems = async ({ id, received, source }: MailTask): Promise<ReadonlyArray<PulledItem>> => {
  const mail = await readMail(source)
  const timestamp = dateOf(mail.date) ?? received
  const email: PulledItem = {
    external_id: id,
    timestamp,
    payload: {
      kind: "email",
      ...filled({
        subject: mail.subject,
        from: mail.from === undefined ? null : nameOf(mail.from),
        to: mail.to.map(nameOf),
        cc: mail.cc.map(nameOf),
        body: mail.text,
        body_html: mail.text.trim() === "" ? mail.html : null,
        thread_id: threadOf(mail)
      })
    },
    ...(mail.messageId === undefined ? {} : { metadata: { message_id: metadataValue(mail.messageId) } })
  }
  const attached = mail.attachments.map(({ bytes, name, type }, at): PulledItem => ({
    external_id: `${id}.${at + 1}`,
    timestamp,
    file: { bytes, name: storable(name), contentType: type },
    metadata: { attached_to: id }
  }))
  return [email, ...attached]
}
