/** A term of the query in one segment: what it adds to the score of each chunk, window by window. */
import { ByteReader } from "../segment/bytes/ByteReader.ts"
import {
  COUNT_BITS,
  COUNT_FOLLOWS,
  Directory,
  type List,
  LONG,
  MAX_WINDOWS,
  type Postings,
  readPostings,
  WINDOW,
  windowsOf
} from "../segment/postings.ts"
import { maxTermScore, termScore } from "./scoring.ts"
import type { Segment } from "../segment/Segment.ts"

const NO_BYTES = new Uint8Array(0)

/** The scores of the chunks of a window, and the list of those that are not zero. */
export class WindowScores {
  readonly scores = new Float64Array(WINDOW)
  readonly touched = new Uint16Array(WINDOW)
  count = 0
  /** No entry is below the limit after `keep` was called. */
  last = WINDOW - 1

  clear(): void {
    for (let index = 0; index < this.count; index++) this.scores[this.touched[index]!] = 0
    this.count = 0
  }

  /** Removes every chunk whose score is below `least`. */
  keep(least: number): void {
    const { scores, touched } = this
    let kept = 0
    let last = 0
    for (let index = 0; index < this.count; index++) {
      const place = touched[index]!
      if (scores[place]! >= least) {
        touched[kept++] = place
        if (place > last) last = place
      } else scores[place] = 0
    }
    this.count = kept
    this.last = last
  }
}

/** Reused for every segment and search, to avoid allocating its arrays. */
export class TermCursor {
  /** The maximum that the term adds to a chunk of each window; zero if the window is empty. */
  readonly bounds = new Float64Array(MAX_WINDOWS)
  /** For a short list: the start of each window among the decoded postings. */
  readonly #runs = new Uint32Array(MAX_WINDOWS + 1)
  readonly #directory = new Directory()
  #isLong = false
  #bytes: Uint8Array = NO_BYTES
  #lengths: Uint8Array = NO_BYTES
  #norms: Float64Array = new Float64Array(256)
  #weight = 0
  /** What a single occurrence adds, for each chunk length; for long lists, where this is the common case. */
  readonly #singles = new Float64Array(256)
  #hasSingles = false
  #read: Postings = { chunks: new Uint16Array(LONG), counts: new Uint8Array(LONG) }
  #parts = new Float64Array(LONG)

  /** Starts with a word. */
  open(segment: Segment, list: List, weight: number, norms: Float64Array): void {
    this.#bytes = segment.postingBytes(list)
    this.#lengths = segment.chunkLengths
    if (weight !== this.#weight || norms !== this.#norms) this.#hasSingles = false
    this.#norms = norms
    this.#weight = weight
    this.#isLong = list.count >= LONG
    if (this.#isLong) return this.#openLong(new ByteReader(this.#bytes, list.start), windowsOf(segment.chunkCount))
    const count = readPostings(this.#bytes, list, segment.chunkCount, this.#read)
    const { chunks, counts } = this.#read
    for (let at = 0; at < count; at++) {
      this.#parts[at] = termScore(weight, counts[at]!, norms[this.#lengths[chunks[at]!]!]!)
    }
    this.#cut(count)
  }

  /** Starts with an identifier, which adds the same to every chunk. */
  openConstant(segment: Segment, list: List, bonus: number): void {
    this.#isLong = false
    const { count } = list
    if (this.#parts.length < count) {
      this.#read = { chunks: new Uint16Array(count), counts: new Uint8Array(count) }
      this.#parts = new Float64Array(count)
    }
    this.#parts.fill(bonus, 0, count)
    this.#cut(segment.readPostings(list, this.#read))
  }

  /** Releases the segment. */
  close(): void {
    this.#bytes = this.#lengths = NO_BYTES
  }

  /** Adds to every chunk with the term that has a score already, or for which this is at least `least`. */
  add(window: number, into: WindowScores, least: number): void {
    if (this.#isLong) this.#addLong(window, into, least)
    else this.#addShort(window, into, least)
  }

  /** Adds only to chunks that have a score already. */
  raise(window: number, into: WindowScores): void {
    if (this.#isLong) this.#raiseLong(window, into)
    else this.#raiseShort(window, into)
  }

  #openLong(reader: ByteReader, windows: number): void {
    const directory = this.#directory
    directory.read(reader, windows)
    for (let window = 0; window < windows; window++) {
      const most = directory.mostCounts[window]!
      this.bounds[window] = most === 0
        ? 0
        : maxTermScore(this.#weight, most, directory.leastLengths[window]!, this.#norms)
    }
    if (this.#hasSingles) return
    this.#hasSingles = true
    for (let code = 0; code < 256; code++) this.#singles[code] = termScore(this.#weight, 1, this.#norms[code]!)
  }

  /** Finds the windows of the decoded postings, and the maximum of each. */
  #cut(count: number): void {
    this.bounds.fill(0)
    const { chunks } = this.#read
    let at = 0
    for (let window = 0; window < MAX_WINDOWS; window++) {
      this.#runs[window] = at
      for (; at < count && chunks[at]! < (window + 1) * WINDOW; at++) {
        if (this.#parts[at]! > this.bounds[window]!) this.bounds[window] = this.#parts[at]!
      }
    }
    this.#runs[MAX_WINDOWS] = at
  }

  #addShort(window: number, into: WindowScores, least: number): void {
    const { scores, touched } = into
    const { chunks } = this.#read
    const base = window * WINDOW
    for (let at = this.#runs[window]!; at < this.#runs[window + 1]!; at++) {
      const part = this.#parts[at]!
      const place = chunks[at]! - base
      const before = scores[place]!
      if (before === 0) {
        if (part < least) continue
        touched[into.count++] = place
      }
      scores[place] = before + part
    }
  }

  #raiseShort(window: number, { scores }: WindowScores): void {
    const { chunks } = this.#read
    const base = window * WINDOW
    for (let at = this.#runs[window]!; at < this.#runs[window + 1]!; at++) {
      const place = chunks[at]! - base
      if (scores[place]! > 0) scores[place]! += this.#parts[at]!
    }
  }

  // Decoding is written out here twice, and twice in postings.ts: a call per posting would double the time.
  #addLong(window: number, into: WindowScores, least: number): void {
    const [bytes, lengths, singles] = [this.#bytes, this.#lengths, this.#singles]
    const { scores, touched } = into
    const end = this.#directory.runs[window + 1]!
    const base = window * WINDOW
    // No chunk with the term is shorter, so lengths of chunks with one occurrence need not be read.
    const areTooLow = singles[this.#directory.leastLengths[window]!]! < least
    let touchedCount = into.count
    let place = 0
    for (let at = this.#directory.runs[window]!; at < end; place++) {
      let step = bytes[at++]!
      if (step >= 128) step = (step & 127) | bytes[at++]! << 7
      place += step >>> COUNT_BITS
      const more = step & COUNT_FOLLOWS
      const before = scores[place]!
      if (before === 0 && areTooLow && more === 0) continue
      const length = lengths[base + place]!
      const part = more === 0
        ? singles[length]!
        : termScore(this.#weight, more === COUNT_FOLLOWS ? bytes[at++]! : more + 1, this.#norms[length]!)
      if (before === 0) {
        if (part < least) continue
        touched[touchedCount++] = place
      }
      scores[place] = before + part
    }
    into.count = touchedCount
  }

  #raiseLong(window: number, { last, scores }: WindowScores): void {
    const [bytes, lengths, singles] = [this.#bytes, this.#lengths, this.#singles]
    const end = this.#directory.runs[window + 1]!
    const base = window * WINDOW
    let place = 0
    for (let at = this.#directory.runs[window]!; at < end && place <= last; place++) {
      let step = bytes[at++]!
      if (step >= 128) step = (step & 127) | bytes[at++]! << 7
      place += step >>> COUNT_BITS
      const more = step & COUNT_FOLLOWS
      // Branchless where possible, because this branch cannot be predicted.
      at += (more + 1) >> COUNT_BITS
      const before = scores[place]!
      if (before === 0) continue
      const count = more === COUNT_FOLLOWS ? bytes[at - 1]! : more + 1
      const length = lengths[base + place]!
      const part = count === 1 ? singles[length]! : termScore(this.#weight, count, this.#norms[length]!)
      scores[place] = before + part
    }
  }
}
