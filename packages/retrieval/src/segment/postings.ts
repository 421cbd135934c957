/**
 * Posting lists: the chunks that contain a term, with counts.
 *
 * A posting is the delta to the previous chunk, times four, plus the count minus one; three means that the count
 * follows in a byte. A long list is divided into windows of chunks, the same for all terms, with a directory in front:
 * for each window its size in bytes and, unless it is empty, an upper bound for the score of its postings, independent
 * of the average chunk length elsewhere: the largest count, and the smallest length per occurrence.
 */
import { ByteReader } from "./bytes/ByteReader.ts"
import type { ByteWriter } from "./bytes/ByteWriter.ts"
import { decodeLength, floorLength } from "./bytes/lengths.ts"

const NO_BYTES = new Uint8Array(0)

const WINDOW_BITS = 12

/** In chunks. */
export const WINDOW = 1 << WINDOW_BITS

/** The most windows of a segment. */
export const MAX_WINDOWS = 65_536 / WINDOW

export const MAX_COUNT = 255

/** Shorter lists have no directory. */
export const LONG = 256

export const windowsOf = (chunkCount: number): number => Math.ceil(chunkCount / WINDOW)

/** Two bits of a delta have the count, or say that it follows. */
export const COUNT_BITS = 2
export const COUNT_FOLLOWS = 3

export interface Postings {
  /** Ascending. */
  readonly chunks: Uint16Array
  readonly counts: Uint8Array
}

/** The most bytes of one posting: a delta and a count. */
const MAX_BYTES = 4

const writeRun = (writer: ByteWriter, { chunks, counts }: Postings, from: number, to: number, first: number): void => {
  const bytes = writer.room((to - from) * MAX_BYTES)
  let size = writer.size
  let next = first
  for (let at = from; at < to; at++) {
    const chunk = chunks[at]!
    const count = counts[at]!
    const more = Math.min(count - 1, COUNT_FOLLOWS)
    let step = (chunk - next) << COUNT_BITS | more
    for (; step >= 128; step >>>= 7) bytes[size++] = (step & 127) | 128
    bytes[size++] = step
    if (more === COUNT_FOLLOWS) bytes[size++] = count
    next = chunk + 1
  }
  writer.wrote(size)
}

/** Writes to `run` first, because the directory precedes the windows. */
export const writePostings = (
  writer: ByteWriter,
  run: ByteWriter,
  postings: Postings,
  start: number,
  end: number,
  chunkLengths: Uint8Array
): void => {
  if (end - start < LONG) return writeRun(writer, postings, start, end, 0)
  const { chunks, counts } = postings
  run.clear()
  for (let window = 0, at = start; window < windowsOf(chunkLengths.length); window++) {
    const from = at
    const before = run.size
    let mostCount = 0
    let leastCode = 255
    let leastLength = Infinity
    for (; at < end && chunks[at]! >>> WINDOW_BITS === window; at++) {
      const count = counts[at]!
      const code = chunkLengths[chunks[at]!]!
      if (count > mostCount) mostCount = count
      if (count > 1) leastLength = Math.min(leastLength, decodeLength(code) / count)
      else if (code < leastCode) leastCode = code
    }
    writeRun(run, postings, from, at, window * WINDOW)
    writer.number(run.size - before)
    if (at === from) continue
    writer.byte(mostCount)
    writer.byte(floorLength(Math.min(leastLength, decodeLength(leastCode))))
  }
  writer.bytes(run.written())
}

/** The position of a list, and its number of postings. */
export interface List {
  readonly start: number
  readonly end: number
  readonly count: number
}

/** Decodes the postings from `at` to `end` into arrays. Returns their number. */
const readRun = (
  bytes: Uint8Array,
  start: number,
  end: number,
  first: number,
  into: Postings,
  to: number
): number => {
  const { chunks, counts } = into
  let next = first
  let size = to
  for (let at = start; at < end;) {
    let step = bytes[at++]!
    if (step >= 128) {
      step = (step & 127) | bytes[at++]! << 7
      if (step >= 1 << 14) step = (step & 0x3fff) | bytes[at++]! << 14
    }
    const more = step & COUNT_FOLLOWS
    next += step >>> COUNT_BITS
    counts[size] = more === COUNT_FOLLOWS ? bytes[at++]! : more + 1
    chunks[size++] = next++
  }
  return size - to
}

/** The directory of a long list. */
export class Directory {
  /** The start of each window, and the end of the last one. */
  readonly runs = new Uint32Array(MAX_WINDOWS + 1)
  /** Zero if the window is empty. */
  readonly mostCounts = new Uint8Array(MAX_WINDOWS)
  /** Codes of `lengths.ts`. */
  readonly leastLengths = new Uint8Array(MAX_WINDOWS)

  read(reader: ByteReader, windows: number): void {
    const { leastLengths, mostCounts, runs } = this
    let size = 0
    for (let window = 0; window < windows; window++) {
      runs[window] = size
      const more = reader.number()
      mostCounts[window] = more === 0 ? 0 : reader.byte()
      leastLengths[window] = more === 0 ? 0 : reader.byte()
      size += more
    }
    runs[windows] = size
    for (let window = 0; window <= windows; window++) runs[window]! += reader.at
  }
}

// Lists are decoded synchronously, so they share this buffer.
const directory = new Directory()

/** Decodes all postings of a list into arrays, which must be large enough, from `to` on. Returns their number. */
export const readPostings = (
  bytes: Uint8Array,
  { count, end, start }: List,
  chunkCount: number,
  into: Postings,
  to = 0
): number => {
  if (count < LONG) return readRun(bytes, start, end, 0, into, to)
  directory.read(new ByteReader(bytes, start), windowsOf(chunkCount))
  let read = 0
  for (let window = 0; window < windowsOf(chunkCount); window++) {
    read += readRun(bytes, directory.runs[window]!, directory.runs[window + 1]!, window * WINDOW, into, to + read)
  }
  return read
}

/**
 * Counts the occurrences of a term in ranges of chunks, in ascending order, and decodes only the windows that it needs.
 */
export class TermCountReader {
  #bytes: Uint8Array = NO_BYTES
  /** A short list is one window. */
  readonly #directory = new Directory()
  #isLong = false
  #window = -1
  /** The next posting to count. */
  #at = 0
  #next = 0

  /** Switches to another term. */
  open(bytes: Uint8Array, { count, end, start }: List, chunkCount: number): void {
    this.#bytes = bytes
    this.#window = -1
    this.#isLong = count >= LONG
    if (this.#isLong) return this.#directory.read(new ByteReader(bytes, start), windowsOf(chunkCount))
    this.#directory.runs[0] = start
    this.#directory.runs[1] = end
  }

  /** Releases the buffer. */
  close(): void {
    this.#bytes = NO_BYTES
  }

  /** The occurrences in the chunks from `first` up to, but not including, `end`. */
  countIn(first: number, end: number): number {
    if (!this.#isLong) return this.#timesInWindow(0, first, end)
    let times = 0
    for (let window = first >>> WINDOW_BITS; window << WINDOW_BITS < end; window++) {
      times += this.#timesInWindow(window, first, end)
    }
    return times
  }

  #timesInWindow(window: number, first: number, end: number): number {
    if (window !== this.#window) {
      this.#window = window
      this.#at = this.#directory.runs[window]!
      this.#next = window * WINDOW
    }
    const bytes = this.#bytes
    const stop = this.#directory.runs[window + 1]!
    let at = this.#at
    let next = this.#next
    let times = 0
    while (at < stop) {
      let after = at
      let step = bytes[after++]!
      if (step >= 128) {
        step = (step & 127) | bytes[after++]! << 7
        if (step >= 1 << 14) step = (step & 0x3fff) | bytes[after++]! << 14
      }
      const chunk = next + (step >>> COUNT_BITS)
      if (chunk >= end) break
      const more = step & COUNT_FOLLOWS
      // Branchless, because the branch could not be predicted.
      const follows = (more + 1) >> COUNT_BITS
      after += follows
      if (chunk >= first) times += more + 1 + follows * (bytes[after - 1]! - more - 1)
      at = after
      next = chunk + 1
    }
    this.#at = at
    this.#next = next
    return times
  }
}
