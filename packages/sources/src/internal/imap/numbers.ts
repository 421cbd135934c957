/**
 * The numbers of a folder's mails, some at a time: each takes a hundred bytes until an answer is read, so that one with
 * all of them would not fit.
 */
import type { ImapFlow, MailboxObject } from "imapflow"

/** How many numbers are asked about at a time, whether or not there are mails of them. */
const WIDTH = 4_096
/** Where hardly any are. */
const WIDEST = 16 * WIDTH

const search = async (client: ImapFlow, query: Parameters<ImapFlow["search"]>[0]): Promise<ReadonlyArray<number>> => {
  const uids = await client.search(query, { uid: true })
  if (!Array.isArray(uids)) throw new Error("the folder cannot be searched")
  return uids.sort((a, b) => a - b)
}

/** Above the numbers of all mails of a folder that is not empty. */
export const endOf = async (client: ImapFlow, { uidNext }: MailboxObject): Promise<number> => {
  const [last = 0] = await search(client, { uid: "*" })
  return Math.max(last + 1, Number.isSafeInteger(uidNext) ? uidNext : 0)
}

/** Rising, of the mails from `first` to before `end`, received since then. */
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
