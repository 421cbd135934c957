/**
 * The last mails of a folder, to detect that it was restored from a backup: UIDs that were given after the backup are
 * used again for other mails, and not every server changes UIDVALIDITY.
 *
 * A restore is not detected if the mails with reused UIDs are gone again, or if more mails arrived during the last sync
 * than are remembered.
 */
import { createHash } from "node:crypto"
import type { MailboxObject, MessageEnvelopeObject } from "imapflow"
import type { FolderState } from "./folderState.ts"
import type { MailClient } from "./MailClient.ts"

/** One would be enough if mails that arrive after a restore were never deleted. */
const COUNT = 3

/** A digest of the parts that never change. */
const digestOf = ({ date, messageId, subject }: MessageEnvelopeObject): string =>
  createHash("sha256").update(JSON.stringify([messageId, subject, date])).digest("base64url").slice(0, 12)

/** Such as `7:…,9:…`, of the last mails up to a UID; null if it is unknown. */
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

/** Whether this is not the folder that a sync has seen in the state `before`. */
export const isRestored = async (
  client: MailClient,
  { last, taken }: { readonly last?: string | null; readonly taken: number },
  before: FolderState | null,
  now: FolderState | null
): Promise<boolean> => {
  if (before !== null && now !== null && now.uidNext < before.uidNext) return true
  if (typeof last !== "string" || taken === 0) return false
  const known = new Map(last.split(",").map((pair) => [Number.parseInt(pair, 10), pair] as const))
  const range = `${last === "" ? 1 : Math.min(...known.keys())}:${taken}`
  for await (const { envelope, uid } of client.fetch(range, { uid: true, envelope: true }, { uid: true })) {
    // The last mails still exist, with no others between them. A server may report changed flags of any of these.
    if (envelope !== undefined && known.get(uid) !== `${uid}:${digestOf(envelope)}`) return true
  }
  return false
}
