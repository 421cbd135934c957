/**
 * The pages of a segment. Each is fetched and verified by its checksum on first read, so opening is cheap and damage is
 * always detected.
 */
import type { SegmentBytes } from "../SegmentSource.ts"
import { SegmentUnreadable } from "../SegmentUnreadable.ts"

const BITS = 14

/** A power of two, and a multiple of the checksum's step. */
export const PAGE = 1 << BITS

const LANES = 4
const STEP = LANES * 4

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

// Every step is a bijection of the running sum, so a change of a single word always changes the result. The lanes are
// independent of each other. Words are little-endian on every machine.
/** The length must be a multiple of sixteen. */
export const checksum = (bytes: Uint8Array, from: number, to: number): number => {
  const view = viewOf(bytes)
  let [first, second, third, fourth] = [0x811c9dc5, 0x01234567, 0x2545f491, 0x7feb352d]
  for (let at = from; at < to; at += STEP) {
    first = Math.imul(first ^ view.getUint32(at, true), 0x01000193)
    second = Math.imul(second ^ view.getUint32(at + 4, true), 0x01000193)
    third = Math.imul(third ^ view.getUint32(at + 8, true), 0x01000193)
    fourth = Math.imul(fourth ^ view.getUint32(at + 12, true), 0x01000193)
    first ^= first >>> 15
    second ^= second >>> 15
    third ^= third >>> 15
    fourth ^= fourth >>> 15
  }
  const sum = [second, third, fourth].reduce((sum, lane) => Math.imul(sum, 0x85ebca6b) ^ lane, first)
  return sum >>> 0
}

/** The checksum of every page, including the partial last one. */
export const pageChecksums = (body: Uint8Array): Uint32Array =>
  Uint32Array.from(
    { length: Math.ceil(body.length / PAGE) },
    (_, page) => checksum(body, page * PAGE, Math.min(body.length, (page + 1) * PAGE))
  )

export class Pages {
  readonly #body: Uint8Array
  readonly #wanted: DataView
  readonly #checked: Uint8Array
  readonly #fetch: SegmentBytes["fetch"]

  /** `wanted` has four bytes per page. */
  constructor(body: Uint8Array, wanted: Uint8Array, fetch: SegmentBytes["fetch"]) {
    this.#body = body
    this.#wanted = viewOf(wanted)
    this.#checked = new Uint8Array(wanted.length / 4)
    this.#fetch = fetch
  }

  /** Throws `SegmentUnreadable` if a page of this range was changed since it was written. */
  check(from: number, to: number): void {
    for (let page = from >>> BITS; page << BITS < to; page++) if (this.#checked[page] === 0) this.#take(page, to)
  }

  /** The run of unverified pages from this one, so that they are fetched together. */
  #take(first: number, to: number): void {
    let end = first
    do end++
    while (end << BITS < to && this.#checked[end] === 0)
    this.#fetch?.(first * PAGE, this.#endOf(end - 1))
    for (let page = first; page < end; page++) this.#checkPage(page)
  }

  #checkPage(page: number): void {
    const sum = checksum(this.#body, page * PAGE, this.#endOf(page))
    if (sum !== this.#wanted.getUint32(page * 4, true)) throw new SegmentUnreadable("damaged", this.#fetch !== null)
    this.#checked[page] = 1
  }

  #endOf(page: number): number {
    return Math.min(this.#body.length, (page + 1) * PAGE)
  }
}
