/**
 * The mails that were removed from a folder, as reported by the server (QRESYNC, RFC 7162), without listing the folder.
 *
 * The report is used only if it accounts for every mail. Servers that lost part of their history, or were restored from
 * a backup, report too much or too little.
 */
import type { FolderState } from "./folderState.ts"
import type { MailClient } from "./MailClient.ts"
import { numbersWithin } from "./numbers.ts"
import { uidRanges } from "./uidRanges.ts"

/** For more than this, a full listing is as fast. */
const MAX_MAILS = 50_000

/** At most `most` + 1. */
const vanished = async (
  client: MailClient,
  { modseq, uidNext }: FolderState & { readonly modseq: bigint },
  most: number
): Promise<ReadonlyArray<number>> => {
  const uids: Array<number> = []
  const hear = (ranges: string) => {
    for (const { first, last } of uidRanges(ranges)) {
      for (let uid = first; uid <= last && uids.length <= most; uid++) uids.push(uid)
      if (uids.length > most) return
    }
  }
  client.on("vanishedEarlier", hear)
  try {
    const changed = client.fetch(`1:${uidNext - 1}`, { uid: true }, { uid: true, changedSince: modseq })
    // Mails that are still there have changed flags, which do not matter.
    while ((await changed.next()).done !== true);
  } finally {
    client.off("vanishedEarlier", hear)
  }
  return uids
}

/** Null if a full listing is needed. `taken` is the highest stored UID. */
export const removedMails = async (
  client: MailClient,
  before: FolderState | null,
  now: FolderState | null,
  taken: number
): Promise<ReadonlyArray<number> | null> => {
  if (before === null || now === null || !client.enabled.has("QRESYNC")) return null
  const { exists, modseq, uidNext } = before
  if (modseq === null || now.modseq === null || modseq > now.modseq) return null
  // Mails that arrived while the last sync started were stored, too, but were not in the folder before it.
  if (uidNext === 1 || taken >= uidNext) return null
  let came = 0
  for await (const uids of numbersWithin(client, uidNext, now.uidNext, null)) came += uids.length
  const count = exists + came - now.exists
  if (count < 0 || count > MAX_MAILS) return null
  const uids = await vanished(client, { ...before, modseq }, count).catch((error: unknown) => {
    if (!client.usable) throw error
    // The server offers QRESYNC but fails: list its mails.
    return null
  })
  if (uids === null) return null
  return uids.length === count && new Set(uids).size === count && uids.every((uid) => uid < uidNext) ? uids : null
}
