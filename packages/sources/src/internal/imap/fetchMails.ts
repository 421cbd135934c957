/**
 * Mails in portions that fit into memory.
 *
 * Their sizes are known only from the server, and asking for them alone takes as long as asking for mails. So the
 * beginnings of many come first; most mails are no longer. Of the others, the rest is asked for, unless it is pictures.
 */
import type { ImapFlow } from "imapflow"
import { endsInPictures } from "./endsInPictures.ts"
import { MAX_MAIL_BYTES } from "./mailServer.ts"

export interface Mail {
  readonly uid: number
  readonly received: Date
  /** Without pictures at its end. Null when it is too large. */
  readonly source: Uint8Array | null
}

interface Beginning {
  readonly uid: number
  readonly received: Date
  readonly source: Buffer
}

/** How many bytes are still to come of mails that are longer than their beginnings. Null for those that are too large. */
type Rests = ReadonlyMap<number, number | null>

const PORTION_MAILS = 250
const BEGINNING_BYTES = 65_536
const REST_BYTES = 8_388_608

/** As `1:3,7`. */
const rangesOf = (mails: ReadonlyArray<{ readonly uid: number }>): string => {
  const ranges: Array<{ readonly first: number; last: number }> = []
  for (const { uid } of mails) {
    const range = ranges.at(-1)
    if (range?.last === uid - 1) range.last = uid
    else ranges.push({ first: uid, last: uid })
  }
  return ranges.map(({ first, last }) => first === last ? `${first}` : `${first}:${last}`).join(",")
}

const beginningsOf = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<ReadonlyArray<Beginning>> => {
  const ranges = rangesOf(uids.map((uid) => ({ uid })))
  const query = { uid: true, internalDate: true, source: { start: 0, maxLength: BEGINNING_BYTES } }
  const beginnings: Array<Beginning> = []
  for await (const { internalDate, source, uid } of client.fetch(ranges, query, { uid: true })) {
    // One without was deleted meanwhile.
    if (source !== undefined) beginnings.push({ uid, source, received: new Date(internalDate ?? 0) })
  }
  return beginnings.sort((a, b) => a.uid - b.uid)
}

const restsOf = async (client: ImapFlow, beginnings: ReadonlyArray<Beginning>): Promise<Rests> => {
  const long = new Map(
    beginnings.filter(({ source }) => source.length >= BEGINNING_BYTES).map((beginning) => [beginning.uid, beginning])
  )
  const rests = new Map<number, number | null>()
  if (long.size === 0) return rests
  const query = { uid: true, size: true, bodyStructure: true }
  for await (
    const { bodyStructure, size = 0, uid } of client.fetch(rangesOf([...long.values()]), query, { uid: true })
  ) {
    const { source } = long.get(uid) ?? {}
    if (source === undefined || source.length >= size) continue
    if (size > MAX_MAIL_BYTES) rests.set(uid, null)
    else if (!endsInPictures(source, bodyStructure)) rests.set(uid, size - source.length)
  }
  return rests
}

const portionsOf = (beginnings: ReadonlyArray<Beginning>, rests: Rests): ReadonlyArray<ReadonlyArray<Beginning>> => {
  const portions: Array<Array<Beginning>> = []
  let bytes = Infinity
  for (const beginning of beginnings) {
    const rest = rests.get(beginning.uid) ?? 0
    bytes += rest
    if (bytes > REST_BYTES) {
      portions.push([])
      bytes = rest
    }
    portions.at(-1)!.push(beginning)
  }
  return portions
}

const completed = async (
  client: ImapFlow,
  beginnings: ReadonlyArray<Beginning>,
  rests: Rests
): Promise<ReadonlyArray<Mail>> => {
  const long = beginnings.filter(({ uid }) => (rests.get(uid) ?? 0) > 0)
  const ends = new Map<number, Buffer>()
  if (long.length > 0) {
    const query = { uid: true, source: { start: BEGINNING_BYTES, maxLength: MAX_MAIL_BYTES } }
    for await (const { source, uid } of client.fetch(rangesOf(long), query, { uid: true })) {
      if (source !== undefined) ends.set(uid, source)
    }
  }
  return beginnings.flatMap(({ received, source, uid }): ReadonlyArray<Mail> => {
    const rest = rests.get(uid)
    const end = ends.get(uid)
    if (rest === null) return [{ uid, received, source: null }]
    if (rest === undefined) return [{ uid, received, source }]
    return end === undefined ? [] : [{ uid, received, source: Buffer.concat([source, end]) }]
  })
}

export async function* fetchMails(client: ImapFlow, uids: ReadonlyArray<number>): AsyncGenerator<ReadonlyArray<Mail>> {
  for (let start = 0; start < uids.length; start += PORTION_MAILS) {
    const beginnings = await beginningsOf(client, uids.slice(start, start + PORTION_MAILS))
    const rests = await restsOf(client, beginnings)
    for (const portion of portionsOf(beginnings, rests)) yield await completed(client, portion, rests)
  }
}
