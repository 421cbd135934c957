/** A mail as documents: the mail and its attachments. */
import { dateOf } from "@tributary/core/dateOf"
import { DAY } from "@tributary/core/model/Day"
import type { PulledItem } from "@tributary/core/ports/Provider"
import { hasWords, type Mail, readMail } from "@tributary/extract/Mail"
import { filled, metadataValue, storable } from "../storable.ts"
import type { MailTask } from "./MailReader.ts"

/** More than a person attaches. */
const MAX_ATTACHMENTS = 20

const MESSAGE_ID = /<[^<>\s]{1,1000}>/

/** The first mail of a conversation gives it its id. */
const threadOf = ({ inReplyTo, messageId, references }: Mail): string | undefined =>
  MESSAGE_ID.exec(references ?? "")?.[0] ?? MESSAGE_ID.exec(inReplyTo ?? "")?.[0] ?? messageId

/** A mail of a computer whose clock is wrong is dated by its arrival, which the server may not know. */
const timeOf = ({ date }: Mail, received: Date): Date => {
  const sent = dateOf(date)
  const isPossible = sent !== null && sent.getTime() > 0 &&
    (received.getTime() <= 0 || sent.getTime() < received.getTime() + DAY)
  return isPossible ? sent : received
}

/** The mail first; its attachments are numbered in order. */
export const mailItems = ({ id, received, source }: MailTask): ReadonlyArray<PulledItem> => {
  const mail = readMail(source)
  const timestamp = timeOf(mail, received)
  const email: PulledItem = {
    external_id: id,
    timestamp,
    payload: {
      kind: "email",
      ...filled({
        subject: mail.subject,
        from: mail.from,
        to: mail.to,
        cc: mail.cc,
        body: mail.text,
        body_html: mail.html,
        thread_id: threadOf(mail)
      })
    },
    ...(mail.messageId === undefined ? {} : { metadata: { message_id: metadataValue(mail.messageId) } })
  }
  const files = mail.attachments.filter(({ type }) => hasWords(type)).slice(0, MAX_ATTACHMENTS)
  const attached = files.map(({ bytes, name, type }, at): PulledItem => ({
    external_id: `${id}.${at + 1}`,
    timestamp,
    file: { bytes: bytes(), name: storable(name), contentType: type },
    metadata: { attached_to: id }
  }))
  return [email, ...attached]
}
