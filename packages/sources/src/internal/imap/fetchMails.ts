/**
 * Fetches mails in batches that fit into memory.
 *
 * Asking only for sizes takes as long as fetching mails. So the beginnings of many mails are fetched first, and most
 * mails are complete by then. Of the others, the rest is fetched unless it is only pictures.
 */
import { endingInPicture, endsInPictures } from "./endsInPictures.ts"
import type { Source } from "./fetchSources.ts"
import type { MailClient } from "./MailClient.ts"
import { MAX_MAIL_BYTES } from "./mailServer.ts"

export interface Mail {
  readonly uid: number
  readonly received: Date
  /** Without pictures at its end. Null if it is too large. */
  readonly source: Uint8Array | null
}

/** The missing bytes of mails that are longer than their beginnings. Null for those that are too large. */
type Rests = ReadonlyMap<number, number | null>

const PORTION_MAILS = 250
const BEGINNING_BYTES = 65_536
const REST_BYTES = 8_388_608

/** Such as `1:3,7`. */
const rangesOf = (mails: ReadonlyArray<{ readonly uid: number }>): string => {
  const ranges: Array<{ readonly first: number; last: number }> = []
  for (const { uid } of mails) {
    const range = ranges.at(-1)
    if (range?.last === uid - 1) range.last = uid
    else ranges.push({ first: uid, last: uid })
  }
  return ranges.map(({ first, last }) => first === last ? `${first}` : `${first}:${last}`).join(",")
}

const beginningsOf = async (client: MailClient, uids: ReadonlyArray<number>): Promise<ReadonlyArray<Source>> => {
  const ranges = rangesOf(uids.map((uid) => ({ uid })))
  const beginnings = await client.fetchSources(ranges, { start: 0, maxLength: BEGINNING_BYTES })
  return beginnings.toSorted((a, b) => a.uid - b.uid)
}

/** Those of these mails of which only pictures are missing. */
const endingInPictures = async (
  client: MailClient,
  beginnings: ReadonlyArray<Source>
): Promise<ReadonlySet<number>> => {
  const types = new Map<number, ReadonlyArray<string>>()
  for (const { source, uid } of beginnings) {
    const begun = endingInPicture(source)
    if (begun !== null) types.set(uid, begun)
  }
  const found = new Set<number>()
  if (types.size === 0) return found
  const ranges = rangesOf(beginnings.filter(({ uid }) => types.has(uid)))
  for await (const { bodyStructure, uid } of client.fetch(ranges, { uid: true, bodyStructure: true }, { uid: true })) {
    if (endsInPictures(types.get(uid) ?? [], bodyStructure)) found.add(uid)
  }
  return found
}

const restsOf = async (client: MailClient, beginnings: ReadonlyArray<Source>): Promise<Rests> => {
  const long = beginnings.filter(({ size, source }) => source.length >= BEGINNING_BYTES && source.length < size)
  const isTooLong = ({ size }: Source) => size > MAX_MAIL_BYTES
  const complete = await endingInPictures(client, long.filter((mail) => !isTooLong(mail)))
  return new Map(
    long.filter(({ uid }) => !complete.has(uid)).map((mail) => [
      mail.uid,
      isTooLong(mail) ? null : mail.size - mail.source.length
    ])
  )
}

const portionsOf = (beginnings: ReadonlyArray<Source>, rests: Rests): ReadonlyArray<ReadonlyArray<Source>> => {
  const portions: Array<Array<Source>> = []
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
  client: MailClient,
  beginnings: ReadonlyArray<Source>,
  rests: Rests
): Promise<ReadonlyArray<Mail>> => {
  const long = beginnings.filter(({ uid }) => (rests.get(uid) ?? 0) > 0)
  const ends = new Map<number, Buffer>()
  if (long.length > 0) {
    const piece = { start: BEGINNING_BYTES, maxLength: MAX_MAIL_BYTES }
    for (const { source, uid } of await client.fetchSources(rangesOf(long), piece)) ends.set(uid, source)
  }
  return beginnings.flatMap(({ received, source, uid }): ReadonlyArray<Mail> => {
    const rest = rests.get(uid)
    const end = ends.get(uid)
    if (rest === null) return [{ uid, received, source: null }]
    if (rest === undefined) return [{ uid, received, source }]
    return end === undefined ? [] : [{ uid, received, source: Buffer.concat([source, end]) }]
  })
}

export async function* fetchMails(
  client: MailClient,
  batches: AsyncIterable<ReadonlyArray<number>> | Iterable<ReadonlyArray<number>>
): AsyncGenerator<ReadonlyArray<Mail>> {
  for await (const uids of batches) {
    for (let start = 0; start < uids.length; start += PORTION_MAILS) {
      const beginnings = await beginningsOf(client, uids.slice(start, start + PORTION_MAILS))
      const rests = await restsOf(client, beginnings)
      for (const portion of portionsOf(beginnings, rests)) yield await completed(client, portion, rests)
    }
  }
}
