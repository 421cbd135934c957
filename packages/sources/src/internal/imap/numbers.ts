/**
 * The UIDs of a folder, in batches: a UID in a response takes a hundred bytes, so a whole folder would not fit into
 * memory.
 */
import type { ImapFlow, MailboxObject } from "imapflow"

/** The number of UIDs per request, whether or not mails have them. */
const WIDTH = 4_096
/** For sparse ranges. */
const WIDEST = 16 * WIDTH

const search = async (client: ImapFlow, query: Parameters<ImapFlow["search"]>[0]): Promise<ReadonlyArray<number>> => {
  const uids = await client.search(query, { uid: true })
  if (!Array.isArray(uids)) throw new Error("the folder cannot be searched")
  return uids.sort((a, b) => a - b)
}

/** Above all UIDs of a folder that is not empty. */
export const endOf = async (client: ImapFlow, { uidNext }: MailboxObject): Promise<number> => {
  const [last = 0] = await search(client, { uid: "*" })
  return Math.max(last + 1, Number.isSafeInteger(uidNext) ? uidNext : 0)
}

/** Ascending, from `first` up to but without `end`, received since then. */
export async function* numbersWithin(
  client: ImapFlow,
  first: number,
  end: number,
  since: Date | null
): AsyncGenerator<ReadonlyArray<number>> {
  for (let [from, width] = [first, WIDTH]; from < end;) {
    const to = Math.min(from + width, end)
    const range = { uid: `${from}:${to - 1}` }
    const uids = await search(client, since === null ? range : { ...range, since })
    if (uids.length > 0) yield uids
    width = uids.length < WIDTH / 4 ? Math.min(width * 2, WIDEST) : WIDTH
    from = to
  }
}
