/**
 * Mails in portions that fit into memory.
 *
 * Their sizes are known only from the server, and asking for them alone takes as long as asking for mails. So the
 * beginnings of many come along with their sizes; most mails are no longer, and the rest of the others is asked for.
 */
import type { ImapFlow } from "imapflow"
import { MAX_MAIL_BYTES } from "./mailServer.ts"

export interface Mail {
  readonly uid: number
  readonly received: Date
  /** Null when it is too large. */
  readonly source: Uint8Array | null
}

interface Beginning {
  readonly uid: number
  readonly received: Date
  readonly size: number
  readonly source: Buffer
}

const PORTION_MAILS = 250
const BEGINNING_BYTES = 65_536
const REST_BYTES = 8_388_608

const beginningsOf = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<ReadonlyArray<Beginning>> => {
  const query = { uid: true, size: true, internalDate: true, source: { start: 0, maxLength: BEGINNING_BYTES } }
  const beginnings: Array<Beginning> = []
  for await (const { internalDate, size = 0, source, uid } of client.fetch(rangesOf(uids), query, { uid: true })) {
    // One without was deleted meanwhile.
    if (source !== undefined) beginnings.push({ uid, size, source, received: new Date(internalDate ?? 0) })
  }
  return beginnings.sort((a, b) => a.uid - b.uid)
}

/** As `1:3,7`. */
const rangesOf = (uids: ReadonlyArray<number>): string => {
  const ranges: Array<{ readonly first: number; last: number }> = []
  for (const uid of uids) {
    const range = ranges.at(-1)
    if (range?.last === uid - 1) range.last = uid
    else ranges.push({ first: uid, last: uid })
  }
  return ranges.map(({ first, last }) => first === last ? `${first}` : `${first}:${last}`).join(",")
}

/** What is still to come of a mail. */
const restOf = ({ size, source }: Beginning): number =>
  size > MAX_MAIL_BYTES || source.length < BEGINNING_BYTES ? 0 : Math.max(0, size - source.length)

const portionsOf = (beginnings: ReadonlyArray<Beginning>): ReadonlyArray<ReadonlyArray<Beginning>> => {
  const portions: Array<Array<Beginning>> = []
  let bytes = Infinity
  for (const beginning of beginnings) {
    bytes += restOf(beginning)
    if (bytes > REST_BYTES) {
      portions.push([])
      bytes = restOf(beginning)
    }
    portions.at(-1)!.push(beginning)
  }
  return portions
}

const completed = async (client: ImapFlow, beginnings: ReadonlyArray<Beginning>): Promise<ReadonlyArray<Mail>> => {
  const long = beginnings.filter((beginning) => restOf(beginning) > 0).map(({ uid }) => uid)
  const rests = new Map<number, Buffer>()
  if (long.length > 0) {
    const query = { uid: true, source: { start: BEGINNING_BYTES, maxLength: MAX_MAIL_BYTES } }
    for await (const { source, uid } of client.fetch(rangesOf(long), query, { uid: true })) {
      if (source !== undefined) rests.set(uid, source)
    }
  }
  return beginnings.flatMap((beginning): ReadonlyArray<Mail> => {
    const { received, size, source, uid } = beginning
    if (size > MAX_MAIL_BYTES) return [{ uid, received, source: null }]
    if (restOf(beginning) === 0) return [{ uid, received, source }]
    const rest = rests.get(uid)
    return rest === undefined ? [] : [{ uid, received, source: Buffer.concat([source, rest]) }]
  })
}

export async function* fetchMails(client: ImapFlow, uids: ReadonlyArray<number>): AsyncGenerator<ReadonlyArray<Mail>> {
  for (let start = 0; start < uids.length; start += PORTION_MAILS) {
    const beginnings = await beginningsOf(client, uids.slice(start, start + PORTION_MAILS))
    for (const portion of portionsOf(beginnings)) yield await completed(client, portion)
  }
}
