/**
 * Texts of many megabytes as bytes: a message between threads moves bytes at once, and would copy texts in one long step.
 */
import { byteLength, partsOf } from "@tributary/core/longText"
import type { Admission } from "@tributary/core/ports/DocumentStore"

/** An item with the lengths of its texts in bytes instead of the texts. */
export interface PackedItem extends Omit<Admission, "chunks" | "payload"> {
  readonly chunks: ReadonlyArray<number>
  readonly payload: number | null
}

export interface Packed {
  readonly items: ReadonlyArray<PackedItem>
  /** The texts of the items, each with its chunks before its payload. */
  readonly texts: Uint8Array<ArrayBuffer>
}

function* bytesIn(items: ReadonlyArray<Admission>): Generator<void, number> {
  let length = 0
  for (const { chunks, payload } of items) {
    for (const text of payload === null ? chunks : [...chunks, payload]) {
      length += yield* byteLength(text)
      yield
    }
  }
  return length
}

/** Pauses at each `yield`. */
export function* packed(items: ReadonlyArray<Admission>): Generator<void, Packed> {
  const bytes = Buffer.allocUnsafeSlow(yield* bytesIn(items))
  let length = 0
  function* add(text: string): Generator<void, number> {
    const before = length
    for (const part of partsOf(text)) {
      length += bytes.write(part, length)
      yield
    }
    return length - before
  }
  const all: Array<PackedItem> = []
  for (const item of items) {
    const chunks: Array<number> = []
    for (const chunk of item.chunks) chunks.push(yield* add(chunk))
    all.push({ ...item, chunks, payload: item.payload === null ? null : yield* add(item.payload) })
  }
  return { items: all, texts: bytes }
}

/** An item whose payload may be UTF-8, as SQLite stores it. */
export interface UnpackedItem extends Omit<Admission, "payload"> {
  readonly payload: string | Uint8Array | null
}

export const unpacked = ({ items, texts }: Packed): ReadonlyArray<UnpackedItem> => {
  const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
  let at = 0
  return items.map((item) => ({
    ...item,
    chunks: item.chunks.map((length) => bytes.toString("utf8", at, at += length)),
    payload: item.payload === null ? null : bytes.subarray(at, at += item.payload)
  }))
}
