/**
 * The vectors of a segment's chunks, one byte per number, in a file beside the segment.
 *
 * A header of 32 bytes, then for each chunk the reciprocal of its row's length (0: no vector), a digest of its text
 * (the first half of a SHA-256), and its row. Numbers are little-endian.
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { checksum, SegmentUnreadable } from "@tributary/retrieval"

const MAGIC = 0x31435654
const VERSION = 1
const HEAD = 32
/** The checksum covers everything after it. */
const CHECKED_FROM = 16
const HASH = 16
const LARGEST = 127

const aligned = (size: number): number => (size + 15) & ~15

const sizeOf = (count: number, dimensions: number): number => HEAD + aligned(count * (4 + HASH + dimensions))

const hashAt = (hashes: Uint8Array, row: number): string => bytesToHex(hashes.subarray(row * HASH, (row + 1) * HASH))

/** Which rows are scanned. */
export interface Wanted {
  readonly first: number
  readonly end: number
  readonly isWanted: (row: number) => boolean
}

export class Vectors {
  readonly count: number
  readonly dimensions: number
  readonly byteLength: number
  readonly #reciprocals: Float32Array
  readonly #hashes: Uint8Array
  readonly #rows: Int8Array

  /** Throws `SegmentUnreadable` unless every byte is intact. */
  constructor(bytes: Uint8Array) {
    if (bytes.length < HEAD) throw new SegmentUnreadable("damaged")
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (view.getUint32(0, true) !== MAGIC) throw new SegmentUnreadable("damaged")
    const version = view.getUint32(4, true)
    if (version !== VERSION) throw new SegmentUnreadable(version > VERSION ? "newer" : "older")
    this.count = view.getUint32(16, true)
    this.dimensions = view.getUint32(20, true)
    this.byteLength = bytes.length
    const isSound = bytes.length === sizeOf(this.count, this.dimensions) &&
      checksum(bytes, CHECKED_FROM, bytes.length) === view.getUint32(8, true)
    if (!isSound) throw new SegmentUnreadable("damaged")
    const hashes = HEAD + this.count * 4
    const rows = hashes + this.count * HASH
    this.#reciprocals = Float32Array.from({ length: this.count }, (_, row) => view.getFloat32(HEAD + row * 4, true))
    this.#hashes = bytes.subarray(hashes, rows)
    this.#rows = new Int8Array(bytes.buffer, bytes.byteOffset + rows, this.count * this.dimensions)
  }

  has(row: number): boolean {
    return this.#reciprocals[row]! > 0
  }

  /** The digest of the text of a row. */
  hashOf(row: number): string {
    return hashAt(this.#hashes, row)
  }

  rowOf(row: number): Int8Array {
    return this.#rows.subarray(row * this.dimensions, (row + 1) * this.dimensions)
  }

  /** The cosine between `query` and each wanted row with a vector, from `first` up to, but not including, `end`. */
  scan(
    query: QueryVector,
    { end, first, isWanted }: Wanted,
    found: (row: number, cosine: number) => void
  ): void {
    const { reciprocal, values } = query
    const rows = this.#rows
    const { dimensions } = this
    const inFours = dimensions - dimensions % 4
    for (let row = first; row < end; row++) {
      const own = this.#reciprocals[row]!
      if (own === 0 || !isWanted(row)) continue
      const start = row * dimensions
      let [one, two, three, four] = [0, 0, 0, 0]
      for (let at = 0; at < inFours; at += 4) {
        one = (one + Math.imul(values[at]!, rows[start + at]!)) | 0
        two = (two + Math.imul(values[at + 1]!, rows[start + at + 1]!)) | 0
        three = (three + Math.imul(values[at + 2]!, rows[start + at + 2]!)) | 0
        four = (four + Math.imul(values[at + 3]!, rows[start + at + 3]!)) | 0
      }
      for (let at = inFours; at < dimensions; at++) one = (one + Math.imul(values[at]!, rows[start + at]!)) | 0
      found(row, (one + two + three + four) * own * reciprocal)
    }
  }
}

const lengthOf = (values: ArrayLike<number>): number => {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at]! * values[at]!
  return Math.sqrt(sum)
}

const largestOf = (vector: ArrayLike<number>): number => {
  let most = 0
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at]!))
  return most
}

const scaled = <Into extends Int8Array | Int32Array>(vector: ArrayLike<number>, largest: number, into: Into): Into => {
  const most = largestOf(vector)
  for (let at = 0; at < vector.length; at++) into[at] = most === 0 ? 0 : Math.round((vector[at]! / most) * largest)
  return into
}

/** Whether a model's vector has a direction: finite numbers that are not all zero. */
export const hasDirection = (vector: ArrayLike<number> | undefined): vector is ArrayLike<number> =>
  vector !== undefined && Array.from(vector).every(Number.isFinite) && largestOf(vector) > 0

/** The query as integers, as large as sums of products allow. */
export interface QueryVector {
  readonly values: Int32Array
  readonly reciprocal: number
}

export const queryVector = (vector: ArrayLike<number>): QueryVector => {
  const largest = Math.floor(2 ** 30 / (LARGEST * Math.max(1, vector.length)))
  const values = scaled(vector, largest, new Int32Array(vector.length))
  const length = lengthOf(values)
  return { values, reciprocal: length === 0 ? 0 : 1 / length }
}

/** A quantized vector. */
export const rowFor = (vector: ArrayLike<number>): Int8Array => scaled(vector, LARGEST, new Int8Array(vector.length))

export interface Row {
  readonly hash: string
  readonly values: Int8Array
}

/** The vectors of `count` chunks; `rows` maps chunk numbers to rows, all of one length. */
export const writeVectors = (count: number, rows: ReadonlyMap<number, Row>): Uint8Array => {
  const dimensions = rows.values().next().value?.values.length ?? 0
  const bytes = new Uint8Array(sizeOf(count, dimensions))
  const view = new DataView(bytes.buffer)
  const hashes = HEAD + count * 4
  const body = hashes + count * HASH
  for (const [number, { hash, values }] of rows) {
    const length = lengthOf(values)
    view.setFloat32(HEAD + number * 4, length === 0 ? 0 : 1 / length, true)
    bytes.set(hexToBytes(hash), hashes + number * HASH)
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.length), body + number * dimensions)
  }
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, VERSION, true)
  view.setUint32(16, count, true)
  view.setUint32(20, dimensions, true)
  view.setUint32(8, checksum(bytes, CHECKED_FROM, bytes.length), true)
  return bytes
}
