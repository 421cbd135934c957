/** A batch of items as the arrays that `admit` takes. */
import type { Admission } from "@tributary/core/ports/DocumentStore"
import { arrayLiteral } from "../arrayLiteral.ts"

/** In UTF-16 code units. */
const SLICE = 1_000_000

/** Never between the halves of a surrogate pair, which have no UTF-8 form of their own. */
const slices = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let start = 0; start < text.length || start === 0;) {
    const last = text.charCodeAt(start + SLICE - 1)
    const end = start + SLICE - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
    found.push(text.slice(start, end))
    start = end
  }
  return found
}

export const admissionArrays = (items: ReadonlyArray<Admission>) => {
  const chunks = {
    item: [] as Array<number>,
    ordinal: [] as Array<number>,
    start: [] as Array<number>,
    text: [] as Array<string>
  }
  const payloads = { item: [] as Array<number>, slice: [] as Array<number>, text: [] as Array<string> }
  const textBytes: Array<number> = []
  // What is too large is not stored, so it is not sent either.
  for (const [index, item] of items.entries()) {
    let [start, bytes] = [0, 0]
    for (const [ordinal, text] of (item.oversized ? [] : item.chunks).entries()) {
      chunks.item.push(index + 1)
      chunks.ordinal.push(ordinal)
      chunks.start.push(start)
      chunks.text.push(text)
      start += text.length
      bytes += Buffer.byteLength(text)
    }
    textBytes.push(bytes)
    for (const [slice, text] of (item.oversized || item.payload === null ? [] : slices(item.payload)).entries()) {
      payloads.item.push(index + 1)
      payloads.slice.push(slice)
      payloads.text.push(text)
    }
  }
  const column = (value: (item: Admission) => string | number | boolean | Date | null) => arrayLiteral(items.map(value))
  return {
    externalIds: column(({ external_id }) => external_id),
    documentIds: column(({ document_id }) => document_id),
    eventIds: column(({ event_id }) => event_id),
    kinds: column(({ kind }) => kind),
    titles: column(({ title }) => title),
    urls: column(({ url }) => url),
    sizes: column(({ size }) => size),
    textBytes: arrayLiteral(textBytes),
    timestamps: column(({ timestamp }) => timestamp),
    ends: column(({ ends_at }) => ends_at),
    metadata: column(({ metadata }) => JSON.stringify(metadata)),
    fingerprints: column(({ fingerprint }) => fingerprint),
    oversized: column(({ oversized }) => oversized),
    chunks: {
      item: arrayLiteral(chunks.item),
      ordinal: arrayLiteral(chunks.ordinal),
      start: arrayLiteral(chunks.start),
      text: chunks.text
    },
    payloads: { item: arrayLiteral(payloads.item), slice: arrayLiteral(payloads.slice), text: payloads.text }
  }
}
