/**
 * What went of the mails that a folder had, as the server remembers it (QRESYNC, RFC 7162): without a listing of all
 * that are there.
 *
 * What it says is believed only where it accounts for every mail. Servers that have forgotten a part, or that were
 * restored from a copy, say too much or too little.
 */
import type { FolderState } from "./folderState.ts"
import type { MailClient } from "./MailClient.ts"
import { numbersWithin } from "./numbers.ts"
import { uidRanges } from "./uidRanges.ts"

/** Of more, a listing tells as well. */
const MOST = 50_000

/** One more than `most` at the most. */
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
    // Those that are still there have other flags, and say nothing else than before.
    while ((await changed.next()).done !== true);
  } finally {
    client.off("vanishedEarlier", hear)
  }
  return uids
}

/** Null where only a listing can tell. */
export const goneSince = async (
  client: MailClient,
  before: FolderState,
  now: FolderState
): Promise<ReadonlyArray<number> | null> => {
  const { exists, modseq, uidNext } = before
  if (!client.enabled.has("QRESYNC") || modseq === null || now.modseq === null) return null
  if (modseq > now.modseq || uidNext === 1) return null
  let came = 0
  for await (const uids of numbersWithin(client, uidNext, now.uidNext, null)) came += uids.length
  const count = exists + came - now.exists
  if (count < 0 || count > MOST) return null
  const uids = await vanished(client, { ...before, modseq }, count).catch((error: unknown) => {
    if (!client.usable) throw error
    // A server that offers what it cannot do: its mails can be listed.
    return null
  })
  if (uids === null) return null
  return uids.length === count && new Set(uids).size === count && uids.every((uid) => uid < uidNext) ? uids : null
}
