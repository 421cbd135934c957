/** An opened segment: views over its bytes. */
import { readSections } from "./format.ts"
import { decodeLength } from "./lengths.ts"
import { StringTable } from "./StringTable.ts"
import { compareUuids, readUuid, writeUuid } from "./uuidBytes.ts"

/** A document in a segment; `number` counts from 0. */
export interface SegmentEntry {
  readonly number: number
  readonly id: string
  readonly version: number
}

const u16 = ({ buffer, byteLength, byteOffset }: Uint8Array) => new Uint16Array(buffer, byteOffset, byteLength / 2)
const u32 = ({ buffer, byteLength, byteOffset }: Uint8Array) => new Uint32Array(buffer, byteOffset, byteLength / 4)
const f64 = ({ buffer, byteLength, byteOffset }: Uint8Array) => new Float64Array(buffer, byteOffset, byteLength / 8)

export class Segment {
  readonly byteLength: number
  readonly chunkCount: number
  readonly documentCount: number
  /** The first and the last moment at which a document begins, in milliseconds; infinite when there is none. */
  readonly earliest: number
  readonly latest: number
  /** Words in all chunks. */
  readonly totalLength: number
  readonly terms: StringTable
  readonly postingOffsets: Uint32Array
  readonly postingChunks: Uint16Array
  readonly postingCounts: Uint8Array
  readonly chunkLengths: Uint8Array
  /** Each chunk's document. */
  readonly chunkDocuments: Uint16Array
  /** Each document's first chunk, and one past the last. */
  readonly firstChunks: Uint32Array
  readonly ids: Uint8Array
  readonly versions: Float64Array
  readonly froms: Float64Array
  readonly tos: Float64Array
  readonly tags: StringTable
  readonly tagPostingOffsets: Uint32Array
  readonly tagPostings: Uint16Array
  readonly #idOrder: Uint16Array

  /** Throws `SegmentUnreadable`. */
  constructor(bytes: Uint8Array) {
    const section = readSections(bytes)
    this.byteLength = bytes.length
    this.terms = new StringTable(section("termBytes"), u32(section("termOffsets")))
    this.postingOffsets = u32(section("postingOffsets"))
    this.postingChunks = u16(section("postingChunks"))
    this.postingCounts = section("postingCounts")
    this.chunkLengths = section("chunkLengths")
    this.chunkDocuments = u16(section("chunkDocuments"))
    this.firstChunks = u32(section("firstChunks"))
    this.ids = section("ids")
    this.versions = f64(section("versions"))
    this.froms = f64(section("froms"))
    this.tos = f64(section("tos"))
    this.tags = new StringTable(section("tagBytes"), u32(section("tagOffsets")))
    this.tagPostingOffsets = u32(section("tagPostingOffsets"))
    this.tagPostings = u16(section("tagPostings"))
    this.#idOrder = u16(section("idOrder"))
    this.chunkCount = this.chunkLengths.length
    this.documentCount = this.versions.length
    this.totalLength = this.chunkLengths.reduce((sum, code) => sum + decodeLength(code), 0)
    this.earliest = this.froms.reduce((left, right) => Math.min(left, right), Infinity)
    this.latest = this.froms.reduce((left, right) => Math.max(left, right), -Infinity)
  }

  idOf(document: number): string {
    return readUuid(this.ids, document * 16)
  }

  *documents(): Iterable<SegmentEntry> {
    for (let number = 0; number < this.documentCount; number++) yield this.#entry(number)
  }

  /** The version of a document that stands in this segment, if any. */
  find(id: string): SegmentEntry | undefined {
    const wanted = new Uint8Array(16)
    writeUuid(id, wanted, 0)
    let low = 0
    let high = this.documentCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const number = this.#idOrder[middle]!
      const order = compareUuids(this.ids, number * 16, wanted, 0)
      if (order === 0) return this.#entry(number)
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  /** Words in all chunks of a document. */
  lengthOf(document: number): number {
    let length = 0
    for (let chunk = this.firstChunks[document]!; chunk < this.firstChunks[document + 1]!; chunk++) {
      length += decodeLength(this.chunkLengths[chunk]!)
    }
    return length
  }

  #entry(number: number): SegmentEntry {
    return { number, id: this.idOf(number), version: this.versions[number]! }
  }
}

/** Throws `SegmentUnreadable` when the bytes are damaged or of a later format. */
export const openSegment = (bytes: Uint8Array): Segment => new Segment(bytes)
