/** Mails in portions that fit into memory, the next one on its way while one is taken. */
import type { ImapFlow } from "imapflow"
import { MAX_MAIL_BYTES } from "./mailServer.ts"

export interface Mail {
  readonly uid: number
  readonly received: Date
  /** Null when it is too large. */
  readonly source: Uint8Array | null
}

interface Head {
  readonly uid: number
  readonly size: number
  readonly received: Date
}

const PORTION_BYTES = 8_388_608
const PORTION_MAILS = 250

const headsOf = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<ReadonlyArray<Head>> => {
  const heads: Array<Head> = []
  for await (
    const { internalDate, size, uid } of client.fetch([...uids], { uid: true, size: true, internalDate: true }, {
      uid: true
    })
  ) {
    heads.push({ uid, size: size ?? 0, received: new Date(internalDate ?? 0) })
  }
  return heads.sort((a, b) => a.uid - b.uid)
}

const portionsOf = (heads: ReadonlyArray<Head>): ReadonlyArray<ReadonlyArray<Head>> => {
  const portions: Array<Array<Head>> = []
  let bytes = Infinity
  for (const head of heads) {
    bytes += head.size
    if (bytes > PORTION_BYTES || portions.at(-1)!.length === PORTION_MAILS) {
      portions.push([])
      bytes = head.size
    }
    portions.at(-1)!.push(head)
  }
  return portions
}

const mailsOf = async (client: ImapFlow, heads: ReadonlyArray<Head>): Promise<ReadonlyArray<Mail>> => {
  const uids = heads.filter(({ size }) => size <= MAX_MAIL_BYTES).map(({ uid }) => uid)
  const sources = new Map<number, Uint8Array>()
  if (uids.length > 0) {
    for await (const { source, uid } of client.fetch(uids, { uid: true, source: true }, { uid: true })) {
      if (source !== undefined) sources.set(uid, source)
    }
  }
  // One that is neither here nor too large was deleted meanwhile.
  return heads.flatMap(({ received, size, uid }) => {
    const source = sources.get(uid)
    return source === undefined && size <= MAX_MAIL_BYTES ? [] : [{ uid, received, source: source ?? null }]
  })
}

/** Sizes are asked for this many mails at once. */
const HEADS = 1_000

async function* portions(client: ImapFlow, uids: ReadonlyArray<number>): AsyncGenerator<ReadonlyArray<Mail>> {
  for (let start = 0; start < uids.length; start += HEADS) {
    const heads = await headsOf(client, uids.slice(start, start + HEADS))
    for (const portion of portionsOf(heads)) yield await mailsOf(client, portion)
  }
}

export async function* fetchMails(client: ImapFlow, uids: ReadonlyArray<number>): AsyncGenerator<ReadonlyArray<Mail>> {
  const all = portions(client, uids)
  for (let coming = all.next();;) {
    const { done, value } = await coming
    if (done === true) return
    coming = all.next()
    // Its failure is told when it is waited for.
    coming.catch(() => undefined)
    yield value
  }
}
