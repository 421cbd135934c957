/** A batch of items as the arrays that `admit` takes. */
import type { Admission } from "@tributary/core/ports/DocumentStore"
import { arrayLiteral } from "../arrayLiteral.ts"

/** The most of a payload in one row, in UTF-16 code units. */
export const MAX_SLICE = 1_000_000

/** Never between the halves of a surrogate pair, because neither has a UTF-8 form. */
const slices = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let start = 0; start < text.length || start === 0;) {
    const last = text.charCodeAt(start + MAX_SLICE - 1)
    const end = start + MAX_SLICE - (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
    found.push(text.slice(start, end))
    start = end
  }
  return found
}

/** Texts as bytes in one piece, and where each one is in it: a driver copies bytes as they are. */
export interface PackedTexts {
  readonly bytes: Uint8Array
  /** From 1. */
  readonly starts: string
  readonly lengths: string
}

/** Pauses at each `yield`. */
function* packed(texts: ReadonlyArray<string>): Generator<void, PackedTexts> {
  const lengths: Array<number> = []
  for (const text of texts) {
    lengths.push(Buffer.byteLength(text))
    yield
  }
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  const starts: Array<number> = []
  let end = 0
  for (const text of texts) {
    starts.push(end + 1)
    end += bytes.write(text, end)
    yield
  }
  return { bytes, starts: arrayLiteral(starts), lengths: arrayLiteral(lengths) }
}

/** The texts of a batch as the driver takes them: arrays of them cost it several copies, all in one turn. */
function* textsOf(texts: ReadonlyArray<string>, isLong: boolean): Generator<void, ReadonlyArray<string> | PackedTexts> {
  return isLong ? yield* packed(texts) : texts
}

/** Pauses at each `yield`. */
export function* admissionArrays(items: ReadonlyArray<Admission>, isLong: boolean) {
  const chunks = {
    item: [] as Array<number>,
    ordinal: [] as Array<number>,
    start: [] as Array<number>,
    text: [] as Array<string>
  }
  const payloads = { item: [] as Array<number>, slice: [] as Array<number>, text: [] as Array<string> }
  const textBytes: Array<number> = []
  // An item that is too large is not stored, so its text is not sent.
  for (const [index, item] of items.entries()) {
    let [start, bytes] = [0, 0]
    for (const [ordinal, text] of (item.oversized ? [] : item.chunks).entries()) {
      chunks.item.push(index + 1)
      chunks.ordinal.push(ordinal)
      chunks.start.push(start)
      chunks.text.push(text)
      start += text.length
      bytes += Buffer.byteLength(text)
      yield
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
      text: yield* textsOf(chunks.text, isLong)
    },
    payloads: {
      item: arrayLiteral(payloads.item),
      slice: arrayLiteral(payloads.slice),
      text: yield* textsOf(payloads.text, isLong)
    }
  }
}
