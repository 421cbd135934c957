/**
 * Sorted strings, each with a range of bytes and the number of entries in it.
 *
 * Strings are front-coded in blocks: each stores the length of the prefix that it shares with the previous one. An
 * index has the first bytes and the position of every block, so a lookup is a binary search and a short scan.
 */
import { ByteReader } from "../bytes/ByteReader.ts"
import type { Section } from "../format.ts"
import { viewOf } from "../bytes/Pages.ts"
import { firstOf, secondOf } from "../bytes/pairs.ts"
import { BLOCK, encodeInto, KEY } from "./dictionaryFormat.ts"

/** An index entry: the first bytes of the block's first string, the position of the block, and that of its ranges. */
const STRINGS_AT = KEY
const VALUES_AT = KEY + 4
const INDEX_ENTRY = KEY + 8

const decoder = new TextDecoder()

export interface ByteRange {
  readonly start: number
  readonly end: number
}

interface TermEntry extends ByteRange {
  /** Its index among all strings. */
  readonly place: number
  /** The number of entries in its range. */
  readonly count: number
}

export interface TableEntry extends TermEntry {
  readonly string: string
}

/** The number of cached lookups: a search looks up each term several times. */
const CACHE_SIZE = 512

/** Compares a string of a dictionary, of which both have the first `from` bytes, with a wanted one. */
const compareFrom = (from: number, bytes: Uint8Array, length: number, at: number, wanted: EncodedString): number => {
  for (let byte = from; byte < Math.min(length, wanted.length); byte++) {
    const difference = bytes[at + byte]! - wanted.bytes[byte]!
    if (difference !== 0) return difference
  }
  return length - wanted.length
}

/** A string as dictionaries have it. */
export class EncodedString {
  /** Null if it was not written out. */
  #string: string | null = ""
  /** Only the first `length` count. */
  bytes = new Uint8Array(256)
  length = 0
  /** Its first bytes as two numbers with the same order. */
  first = 0
  second = 0

  /** The same term is looked up in many segments. */
  become(string: string): this {
    if (string === this.#string) return this
    this.#string = string
    if (this.bytes.length < string.length * 3) this.bytes = new Uint8Array(string.length * 3)
    this.#end(encodeInto(string, this.bytes))
    return this
  }

  /** Becomes the string at an index of a dictionary. Returns the number of entries in its range. */
  read(dictionary: TermDictionary, place: number): number {
    const block = Math.floor(place / BLOCK)
    const reader = new ByteReader(dictionary.strings.bytes, dictionary.checkedBlock(block))
    this.#string = null
    this.bytes.set(dictionary.keyOf(block))
    for (let left = place % BLOCK;; left--) {
      this.follow(reader)
      const held = reader.byte()
      const count = firstOf(held, reader)
      secondOf(held, reader)
      if (left > 0) continue
      this.#end(this.length)
      return count
    }
  }

  /** From the string before it in its block, becomes the one at the position of the reader. */
  follow(reader: ByteReader): void {
    const lengths = reader.byte()
    const shared = firstOf(lengths, reader)
    const length = shared + secondOf(lengths, reader)
    if (this.bytes.length < length) this.#grow(length)
    const { bytes } = this
    const ahead = reader.at - shared
    for (let at = shared; at < length; at++) bytes[at] = reader.bytes[ahead + at]!
    reader.at = ahead + length
    this.length = length
  }

  /** FNV-1a. */
  hash(): number {
    let hash = 0x811c9dc5
    for (let at = 0; at < this.length; at++) hash = Math.imul(hash ^ this.bytes[at]!, 0x01000193)
    return hash
  }

  #grow(length: number): void {
    const bytes = new Uint8Array(2 * length)
    bytes.set(this.bytes)
    this.bytes = bytes
  }

  #end(length: number): void {
    this.length = length
    this.bytes.fill(0, length, KEY)
    this.first = wordAt(this.bytes, 0)
    this.second = wordAt(this.bytes, 4)
  }
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24 | bytes[at + 1]! << 16 | bytes[at + 2]! << 8 | bytes[at + 3]!) >>> 0

// Lookups are synchronous, so they share this buffer.
const wanted = new EncodedString()

/** Iterates over a block and the following ones. */
class Walk {
  readonly #table: TermDictionary
  readonly #reader: ByteReader
  /** Only its bytes are those of the present string. */
  readonly string = new EncodedString()
  #place: number
  #count = 0
  #start = 0
  #end: number

  constructor(table: TermDictionary, block: number) {
    this.#table = table
    this.#place = block * BLOCK - 1
    this.#reader = new ByteReader(table.strings.bytes)
    this.#end = block < table.blockCount ? table.valuesAt(block) : 0
  }

  /** False at the end of the dictionary. */
  next(): boolean {
    const reader = this.#reader
    if (++this.#place >= this.#table.size) return false
    if (this.#place % BLOCK === 0) {
      reader.at = this.#table.checkedBlock(this.#place / BLOCK)
      this.string.bytes.set(this.#table.keyOf(this.#place / BLOCK))
    }
    this.string.follow(reader)
    const held = reader.byte()
    this.#count = firstOf(held, reader)
    this.#start = this.#end
    this.#end += this.#count + secondOf(held, reader)
    return true
  }

  entry(): TableEntry {
    const string = decoder.decode(this.string.bytes.subarray(0, this.string.length))
    return { string, place: this.#place, count: this.#count, start: this.#start, end: this.#end }
  }
}

export class TermDictionary {
  /** The number of strings. */
  readonly size: number
  readonly strings: Section
  readonly blockCount: number
  readonly #section: Section
  #checked: DataView | null = null
  readonly #remembered = new Map<string, TermEntry | null>()

  constructor(strings: Section, index: Section, size: number) {
    this.strings = strings
    this.#section = index
    this.size = size
    this.blockCount = Math.ceil(size / BLOCK)
  }

  /** Null if the dictionary does not contain it. */
  find(string: string): TermEntry | null {
    const known = this.#remembered.get(string)
    if (known !== undefined) return known
    if (this.#remembered.size >= CACHE_SIZE) this.#remembered.clear()
    const found = this.#find(wanted.become(string))
    this.#remembered.set(string, found)
    return found
  }

  /** The number of entries in the range of a string, which is not remembered. */
  countOf(string: EncodedString): number {
    return this.#find(string)?.count ?? 0
  }

  /** In order, starting with the first string that is not less than `from`. */
  *entries(from = ""): Generator<TableEntry> {
    const first = new EncodedString().become(from)
    const walk = new Walk(this, this.#blockOf(first))
    const { string } = walk
    while (walk.next()) if (compareFrom(0, string.bytes, string.length, 0, first) >= 0) yield walk.entry()
  }

  /** The position of a block, after verification. */
  checkedBlock(block: number): number {
    const start = this.#index().getUint32(block * INDEX_ENTRY + STRINGS_AT, true)
    const end = block + 1 === this.blockCount
      ? this.strings.bytes.length
      : this.#index().getUint32((block + 1) * INDEX_ENTRY + STRINGS_AT, true)
    this.strings.check(start, end)
    return start
  }

  /** The first bytes of the block's first string, padded with zeros. */
  keyOf(block: number): Uint8Array {
    this.#index()
    return this.#section.bytes.subarray(block * INDEX_ENTRY, block * INDEX_ENTRY + KEY)
  }

  valuesAt(block: number): number {
    return this.#index().getUint32(block * INDEX_ENTRY + VALUES_AT, true)
  }

  /** Verified completely on the first read, because a string may be anywhere in it. */
  #index(): DataView {
    return this.#checked ??= viewOf(this.#section.whole())
  }

  /** Compares without building strings: only the length of the common prefix with the wanted string is tracked. */
  #find(wanted: EncodedString): TermEntry | null {
    if (this.size === 0) return null
    const block = this.#blockOf(wanted)
    const { bytes } = this.strings
    const reader = new ByteReader(bytes, this.checkedBlock(block))
    const { length } = wanted
    let start = this.valuesAt(block)
    let agreed = this.#agreement(block, wanted)
    const first = block * BLOCK
    for (let place = first; place < Math.min(this.size, first + BLOCK); place++) {
      const lengths = reader.byte()
      const shared = firstOf(lengths, reader)
      const end = secondOf(lengths, reader) + reader.at
      // Bytes after the first string do not belong to it.
      if (place === first) agreed = Math.min(agreed, shared)
      if (shared < agreed) return null
      let isFound = false
      if (shared === agreed) {
        while (reader.at < end && agreed < length && bytes[reader.at] === wanted.bytes[agreed]) {
          reader.at++
          agreed++
        }
        isFound = agreed === length
        if (reader.at < end && (isFound || bytes[reader.at]! > wanted.bytes[agreed]!)) return null
      }
      reader.at = end
      const held = reader.byte()
      const count = firstOf(held, reader)
      const size = count + secondOf(held, reader)
      if (isFound) return { place, count, start, end: start + size }
      start += size
    }
    return null
  }

  /** The length of the common prefix of the wanted string and the block's first string, which is padded with zeros. */
  #agreement(block: number, wanted: EncodedString): number {
    const key = this.keyOf(block)
    let agreed = 0
    while (agreed < KEY && agreed < wanted.length && key[agreed] === wanted.bytes[agreed]) agreed++
    return agreed
  }

  /** The last block that does not start after the wanted string, or the first block. */
  #blockOf(wanted: EncodedString): number {
    const index = this.#index()
    const { first, second } = wanted
    let low = 0
    let high = this.blockCount - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      const entry = middle * INDEX_ENTRY
      const difference = index.getUint32(entry) - first || index.getUint32(entry + 4) - second
      if (difference < 0 || (difference === 0 && this.#compareFirst(middle, wanted) <= 0)) low = middle
      else high = middle - 1
    }
    return low
  }

  #compareFirst(block: number, wanted: EncodedString): number {
    const { bytes } = this.strings
    const reader = new ByteReader(bytes, this.checkedBlock(block))
    const lengths = reader.byte()
    const shared = firstOf(lengths, reader)
    if (wanted.length < shared) return 1
    const length = secondOf(lengths, reader)
    return compareFrom(shared, bytes, shared + length, reader.at - shared, wanted)
  }
}
