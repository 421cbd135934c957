/**
 * Sorted strings, each with a stretch of bytes that belongs to it, which holds this many things of one byte or more.
 *
 * Strings stand in blocks; within one, each says how much it repeats of the one before, the first one of what the index
 * says of it. That index tells how every block begins, and where it and its stretches do, so that a string is found by
 * halving and a short walk.
 */
import { ByteReader } from "./bytes/ByteReader.ts"
import { ByteWriter } from "./bytes/ByteWriter.ts"
import type { Section } from "./format.ts"
import { viewOf } from "./bytes/Pages.ts"
import { firstOf, secondOf, writePair } from "./bytes/pairs.ts"

const BLOCK = 16

/** Of the index: how the block's first string begins, then where the block begins, and its stretches. */
const KEY = 8
const STRINGS_AT = KEY
const VALUES_AT = KEY + 4
const INDEX_ENTRY = KEY + 8

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Says how many bytes it takes. Most strings are short and of ASCII, for which the encoder is a long way. */
const encodeInto = (string: string, bytes: Uint8Array): number => {
  for (let at = 0; at < string.length; at++) {
    const code = string.charCodeAt(at)
    if (code >= 128) return encoder.encodeInto(string, bytes).written
    bytes[at] = code
  }
  return string.length
}

export class StringTableWriter {
  readonly #strings = new ByteWriter()
  readonly #index = new ByteWriter()
  #count = 0
  #valuesAt = 0
  #previous = new Uint8Array(256)
  #current = new Uint8Array(256)
  #previousLength = 0

  get count(): number {
    return this.#count
  }

  /** In the order of `compareStrings`, each once, with how many things its stretch holds, and its length. */
  add(string: string, count: number, length: number): void {
    if (this.#current.length < string.length * 3) this.#current = new Uint8Array(string.length * 6)
    const current = this.#current
    const written = encodeInto(string, current)
    const begins = this.#count % BLOCK === 0
    if (begins) this.#beginBlock(current, written)
    const shared = begins ? Math.min(written, KEY) : this.#sharedWith(current, written)
    writePair(this.#strings, shared, written - shared)
    for (let at = shared; at < written; at++) this.#strings.byte(current[at]!)
    writePair(this.#strings, count, length - count)
    this.#valuesAt += length
    this.#count++
    ;[this.#previous, this.#current] = [current, this.#previous]
    this.#previousLength = written
  }

  finish(): { readonly strings: Uint8Array; readonly index: Uint8Array } {
    return { strings: this.#strings.written(), index: this.#index.written() }
  }

  #beginBlock(first: Uint8Array, length: number): void {
    for (let at = 0; at < KEY; at++) this.#index.byte(at < length ? first[at]! : 0)
    for (const at of [this.#strings.size, this.#valuesAt]) {
      for (let shift = 0; shift < 32; shift += 8) this.#index.byte((at >>> shift) & 255)
    }
  }

  #sharedWith(current: Uint8Array, length: number): number {
    const most = Math.min(length, this.#previousLength)
    let shared = 0
    while (shared < most && current[shared] === this.#previous[shared]) shared++
    return shared
  }
}

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** What is known of a string. */
export interface Found extends Stretch {
  /** Which of the strings it is. */
  readonly place: number
  /** How many things its stretch holds. */
  readonly count: number
}

export interface TableEntry extends Found {
  readonly string: string
}

/** How many of the strings that were looked for are remembered: a search asks for each several times. */
const REMEMBERED = 512

const compareBytes = (left: Uint8Array, leftLength: number, right: Uint8Array): number => {
  const shorter = Math.min(leftLength, right.length)
  for (let at = 0; at < shorter; at++) {
    const difference = left[at]! - right[at]!
    if (difference !== 0) return difference
  }
  return leftLength - right.length
}

/** A string as it is looked for. */
class Wanted {
  #string = ""
  #room = new Uint8Array(256)
  bytes = this.#room.subarray(0, 0)
  /** How it begins, in two numbers that compare like its bytes. */
  first = 0
  second = 0

  /** The same one is looked for in one segment after the other. */
  become(string: string): this {
    if (string === this.#string) return this
    this.#string = string
    if (this.#room.length < string.length * 3) this.#room = new Uint8Array(string.length * 3)
    this.bytes = this.#room.subarray(0, encodeInto(string, this.#room))
    this.#room.fill(0, this.bytes.length, KEY)
    this.first = wordAt(this.#room, 0)
    this.second = wordAt(this.#room, 4)
    return this
  }
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24 | bytes[at + 1]! << 16 | bytes[at + 2]! << 8 | bytes[at + 3]!) >>> 0

// A string is looked for without a pause, so all share this.
const wanted = new Wanted()

/** Walks a block, and the next ones. */
class Walk {
  readonly #table: TermDictionary
  readonly #reader: ByteReader
  name = new Uint8Array(256)
  nameLength = 0
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

  /** False at the end of the table. */
  next(): boolean {
    const reader = this.#reader
    if (++this.#place >= this.#table.size) return false
    if (this.#place % BLOCK === 0) {
      reader.at = this.#table.checkedBlock(this.#place / BLOCK)
      this.name.set(this.#table.keyOf(this.#place / BLOCK))
    }
    const lengths = reader.byte()
    const shared = firstOf(lengths, reader)
    const length = secondOf(lengths, reader)
    if (this.name.length < shared + length) {
      const name = new Uint8Array(2 * (shared + length))
      name.set(this.name)
      this.name = name
    }
    for (let at = 0; at < length; at++) this.name[shared + at] = reader.byte()
    this.nameLength = shared + length
    const held = reader.byte()
    this.#count = firstOf(held, reader)
    this.#start = this.#end
    this.#end += this.#count + secondOf(held, reader)
    return true
  }

  entry(): TableEntry {
    const string = decoder.decode(this.name.subarray(0, this.nameLength))
    return { string, place: this.#place, count: this.#count, start: this.#start, end: this.#end }
  }
}

export class TermDictionary {
  /** How many strings there are. */
  readonly size: number
  readonly strings: Section
  readonly blockCount: number
  readonly #section: Section
  #checked: DataView | null = null
  readonly #remembered = new Map<string, Found | null>()

  constructor(strings: Section, index: Section, size: number) {
    this.strings = strings
    this.#section = index
    this.size = size
    this.blockCount = Math.ceil(size / BLOCK)
  }

  /** Null when the table does not hold it. */
  find(string: string): Found | null {
    const known = this.#remembered.get(string)
    if (known !== undefined) return known
    if (this.#remembered.size >= REMEMBERED) this.#remembered.clear()
    const found = this.#find(wanted.become(string))
    this.#remembered.set(string, found)
    return found
  }

  /** In order, from the first that is not before `from`. */
  *entries(from = ""): Generator<TableEntry> {
    const first = new Wanted().become(from)
    const walk = new Walk(this, this.#blockOf(first))
    while (walk.next()) if (compareBytes(walk.name, walk.nameLength, first.bytes) >= 0) yield walk.entry()
  }

  /** Where a block begins, once it was checked. */
  checkedBlock(block: number): number {
    const start = this.#index().getUint32(block * INDEX_ENTRY + STRINGS_AT, true)
    const end = block + 1 === this.blockCount
      ? this.strings.bytes.length
      : this.#index().getUint32((block + 1) * INDEX_ENTRY + STRINGS_AT, true)
    this.strings.check(start, end)
    return start
  }

  /** The first bytes of the block's first string, and zeros behind what is shorter. */
  keyOf(block: number): Uint8Array {
    this.#index()
    return this.#section.bytes.subarray(block * INDEX_ENTRY, block * INDEX_ENTRY + KEY)
  }

  valuesAt(block: number): number {
    return this.#index().getUint32(block * INDEX_ENTRY + VALUES_AT, true)
  }

  /** Checked as a whole when it is first read, since a string may be anywhere. */
  #index(): DataView {
    return this.#checked ??= viewOf(this.#section.whole())
  }

  /** Without putting the strings together: only how far they agree with what is wanted is kept. */
  #find(wanted: Wanted): Found | null {
    if (this.size === 0) return null
    const block = this.#blockOf(wanted)
    const { bytes } = this.strings
    const reader = new ByteReader(bytes, this.checkedBlock(block))
    const { length } = wanted.bytes
    let start = this.valuesAt(block)
    let agreed = this.#agreement(block, wanted.bytes)
    const first = block * BLOCK
    for (let place = first; place < Math.min(this.size, first + BLOCK); place++) {
      const lengths = reader.byte()
      const shared = firstOf(lengths, reader)
      const end = secondOf(lengths, reader) + reader.at
      // What is behind the first string is no part of it.
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

  /** How many bytes of what is wanted begin the block's first string, or the zeros behind it. */
  #agreement(block: number, wanted: Uint8Array): number {
    const key = this.keyOf(block)
    let agreed = 0
    while (agreed < KEY && agreed < wanted.length && key[agreed] === wanted[agreed]) agreed++
    return agreed
  }

  /** The last block that does not begin after what is wanted, or the first. */
  #blockOf(wanted: Wanted): number {
    const index = this.#index()
    const { first, second } = wanted
    let low = 0
    let high = this.blockCount - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      const entry = middle * INDEX_ENTRY
      const difference = index.getUint32(entry) - first || index.getUint32(entry + 4) - second
      if (difference < 0 || (difference === 0 && this.#compareFirst(middle, wanted.bytes) <= 0)) low = middle
      else high = middle - 1
    }
    return low
  }

  #compareFirst(block: number, wanted: Uint8Array): number {
    const { bytes } = this.strings
    const reader = new ByteReader(bytes, this.checkedBlock(block))
    const lengths = reader.byte()
    const shared = firstOf(lengths, reader)
    if (wanted.length < shared) return 1
    const length = secondOf(lengths, reader)
    return compareBytes(bytes.subarray(reader.at, reader.at + length), length, wanted.subarray(shared))
  }
}
