/**
 * The last mails of a folder, by which it is seen that it was restored from a copy: the numbers of those that came after
 * the copy was made are given to others, and not every server says so by another UIDVALIDITY.
 *
 * It is not seen where the mails that were given such numbers are gone again, nor after a sync during which more mails
 * came than are remembered.
 */
import { createHash } from "node:crypto"
import type { MailboxObject, MessageEnvelopeObject } from "imapflow"
import type { MailClient } from "./MailClient.ts"

/** One would do if none of those that come after a restoration went again. */
const COUNT = 3

/** Of what never changes. */
const digestOf = ({ date, messageId, subject }: MessageEnvelopeObject): string =>
  createHash("sha256").update(JSON.stringify([messageId, subject, date])).digest("base64url").slice(0, 12)

/** As `7:…,9:…`, of the mails up to a number; null where that is not known. */
export const lastMails = async (
  client: MailClient,
  { exists }: MailboxObject,
  taken: number
): Promise<string | null> => {
  const first = Math.max(1, exists - COUNT + 1)
  const last: Array<string> = []
  if (exists > 0) {
    for await (const { envelope, uid } of client.fetch(`${first}:*`, { uid: true, envelope: true })) {
      if (envelope !== undefined && uid <= taken) last.push(`${uid}:${digestOf(envelope)}`)
    }
  }
  return last.length === 0 && first > 1 ? null : last.join(",")
}

/** Whether they still are, and no others have come among them. */
export const areLastMails = async (client: MailClient, last: string, taken: number): Promise<boolean> => {
  const known = new Map(last.split(",").map((pair) => [Number.parseInt(pair, 10), pair] as const))
  const range = `${last === "" ? 1 : Math.min(...known.keys())}:${taken}`
  for await (const { envelope, uid } of client.fetch(range, { uid: true, envelope: true }, { uid: true })) {
    // Of any mail a server may say in between that its flags are others.
    if (envelope !== undefined && known.get(uid) !== `${uid}:${digestOf(envelope)}`) return false
  }
  return true
}
