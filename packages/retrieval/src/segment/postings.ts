/**
 * Posting lists: which chunks hold a term, and how often.
 *
 * A posting is the step from the chunk before, times four, and how many more times than once the term stands there;
 * three when a byte with the count follows. A list that is long goes in windows of chunks, which begin alike for all
 * terms, behind a directory: for each window how many bytes it takes and, unless none, what its postings can score at
 * the most, however long chunks are on average elsewhere: the greatest count, and the least length for each time that
 * the term stands there.
 */
import { ByteReader } from "./bytes/ByteReader.ts"
import type { ByteWriter } from "./bytes/ByteWriter.ts"
import { decodeLength, floorLength } from "./bytes/lengths.ts"

const NO_BYTES = new Uint8Array(0)

const WINDOW_BITS = 12

/** In chunks. */
export const WINDOW = 1 << WINDOW_BITS

/** As many as a segment has at the most. */
export const MAX_WINDOWS = 65_536 / WINDOW

export const MAX_COUNT = 255

/** Shorter lists are read as a whole. */
export const LONG = 256

export const windowsOf = (chunkCount: number): number => Math.ceil(chunkCount / WINDOW)

/** Two bits of a step tell the count, or that it follows. */
export const COUNT_BITS = 2
export const COUNT_FOLLOWS = 3

export interface Postings {
  /** Rising. */
  readonly chunks: Uint16Array
  readonly counts: Uint8Array
}

/** Of one posting: a step to any chunk, and a count. */
const MOST_BYTES = 4

const writeRun = (writer: ByteWriter, { chunks, counts }: Postings, from: number, to: number, first: number): void => {
  const bytes = writer.room((to - from) * MOST_BYTES)
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

/** Into `run` first: the directory stands before what it describes. */
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

/** Where a list stands, and how many postings there are. */
export interface List {
  readonly start: number
  readonly end: number
  readonly count: number
}

/** Reads postings from `at` to `end` into arrays, and says how many there were. */
export const readRun = (
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
  /** Where the run of each window begins, and the last one ends. */
  readonly runs = new Uint32Array(MAX_WINDOWS + 1)
  /** Zero where the term does not stand. */
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

// Postings are read to their end without a pause, so all share it.
const directory = new Directory()

/** All postings of a list; `into` has room for them. */
export const readPostings = (
  bytes: Uint8Array,
  { count, end, start }: List,
  chunkCount: number,
  into: Postings
): number => {
  if (count < LONG) return readRun(bytes, start, end, 0, into, 0)
  directory.read(new ByteReader(bytes, start), windowsOf(chunkCount))
  let read = 0
  for (let window = 0; window < windowsOf(chunkCount); window++) {
    read += readRun(bytes, directory.runs[window]!, directory.runs[window + 1]!, window * WINDOW, into, read)
  }
  return read
}

/** How often a term stands in some stretches of chunks, asked for in rising order; no window is read in vain. */
export class TimesReader {
  #bytes: Uint8Array = NO_BYTES
  /** A short list is one run. */
  readonly #directory = new Directory()
  #isLong = false
  #window = -1
  /** The next posting that was not counted. */
  #at = 0
  #next = 0

  /** Begins with another term. */
  open(bytes: Uint8Array, { count, end, start }: List, chunkCount: number): void {
    this.#bytes = bytes
    this.#window = -1
    this.#isLong = count >= LONG
    if (this.#isLong) return this.#directory.read(new ByteReader(bytes, start), windowsOf(chunkCount))
    this.#directory.runs[0] = start
    this.#directory.runs[1] = end
  }

  /** Releases the bytes. */
  close(): void {
    this.#bytes = NO_BYTES
  }

  /** In the chunks from `first` up to `end`. */
  timesIn(first: number, end: number): number {
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
      // Nobody can guess after which postings a count follows, so that is not decided.
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
