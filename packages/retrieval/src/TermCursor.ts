/** A term of the query as it stands in one segment: what it gives to each chunk, window by window. */
import { ByteReader } from "./ByteReader.ts"
import { Directory, LONG, MAX_WINDOWS, type Postings, readHead, readPostings, WINDOW, windowsOf } from "./postings.ts"
import { boundOfScore, partOfScore } from "./scoring.ts"
import type { Segment } from "./Segment.ts"
import type { Stretch } from "./StringTable.ts"

const NO_BYTES = new Uint8Array(0)

/** Scores of the chunks of a window, and which of them are not zero. */
export class WindowScores {
  readonly scores = new Float64Array(WINDOW)
  readonly touched = new Uint16Array(WINDOW)
  count = 0

  clear(): void {
    for (let index = 0; index < this.count; index++) this.scores[this.touched[index]!] = 0
    this.count = 0
  }

  /** Forgets every chunk whose score is below `least`. */
  keep(least: number): void {
    const { scores, touched } = this
    let kept = 0
    for (let index = 0; index < this.count; index++) {
      const place = touched[index]!
      if (scores[place]! >= least) touched[kept++] = place
      else scores[place] = 0
    }
    this.count = kept
  }
}

/** Used again for every segment and every search, for the sake of its arrays. */
export class TermCursor {
  /** What the term gives at the most to a chunk of each window; zero where it does not stand. */
  readonly bounds = new Float64Array(MAX_WINDOWS)
  /** Where each window's run begins, in bytes for a long list, else in postings. */
  readonly #runs = new Uint32Array(MAX_WINDOWS + 1)
  #isLong = false
  #bytes: Uint8Array = NO_BYTES
  #lengths: Uint8Array = NO_BYTES
  #norms: Float64Array = new Float64Array(256)
  #weight = 0
  #read: Postings = { chunks: new Uint16Array(LONG), counts: new Uint8Array(LONG) }
  #parts = new Float64Array(LONG)

  /** Of a word. */
  open(segment: Segment, stretch: Stretch, weight: number, norms: Float64Array): void {
    this.#bytes = segment.postingBytes(stretch)
    this.#lengths = segment.chunkLengths
    this.#norms = norms
    this.#weight = weight
    const reader = new ByteReader(this.#bytes, stretch.start)
    const { frequency } = readHead(reader)
    this.#isLong = frequency >= LONG
    if (this.#isLong) return this.#openLong(reader, windowsOf(segment.chunkCount))
    const count = readPostings(this.#bytes, stretch.start, stretch.end, segment.chunkCount, this.#read)
    const { chunks, counts } = this.#read
    for (let at = 0; at < count; at++) {
      this.#parts[at] = partOfScore(weight, counts[at]!, norms[this.#lengths[chunks[at]!]!]!)
    }
    this.#cut(count)
  }

  /** Of an identifier, which gives the same wherever it stands. */
  openConstant(segment: Segment, stretch: Stretch, bonus: number): void {
    this.#isLong = false
    const { frequency } = segment.headOf(stretch)
    if (this.#parts.length < frequency) {
      this.#read = { chunks: new Uint16Array(frequency), counts: new Uint8Array(frequency) }
      this.#parts = new Float64Array(frequency)
    }
    this.#parts.fill(bonus, 0, frequency)
    this.#cut(segment.readPostings(stretch, this.#read))
  }

  /** Adds to every chunk that has the term, where that alone makes no less than `least`. */
  add(window: number, into: WindowScores, least: number): void {
    const [from, to] = [this.#runs[window]!, this.#runs[window + 1]!]
    if (this.#isLong) this.#addLong(window * WINDOW, from, to, into, least)
    else this.#addShort(window * WINDOW, from, to, into, least)
  }

  /** Adds to the chunks that have a score already. */
  raise(window: number, into: WindowScores): void {
    const [from, to] = [this.#runs[window]!, this.#runs[window + 1]!]
    if (this.#isLong) this.#raiseLong(window * WINDOW, from, to, into.scores)
    else this.#raiseShort(window * WINDOW, from, to, into.scores)
  }

  #openLong(reader: ByteReader, windows: number): void {
    const directory = new Directory(reader)
    let size = 0
    for (let window = 0; window < windows; window++) {
      directory.next()
      this.#runs[window] = size
      size += directory.size
      this.bounds[window] = directory.size === 0
        ? 0
        : boundOfScore(this.#weight, directory.mostCount, directory.leastLength, this.#norms)
    }
    for (let window = 0; window < windows; window++) this.#runs[window]! += reader.at
    this.#runs[windows] = reader.at + size
  }

  /** Where windows begin among postings that were read, and what they give at the most. */
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

  #addShort(base: number, from: number, to: number, into: WindowScores, least: number): void {
    const { scores, touched } = into
    const { chunks } = this.#read
    for (let at = from; at < to; at++) {
      const part = this.#parts[at]!
      if (part < least) continue
      const place = chunks[at]! - base
      if (scores[place] === 0) touched[into.count++] = place
      scores[place]! += part
    }
  }

  #raiseShort(base: number, from: number, to: number, scores: Float64Array): void {
    const { chunks } = this.#read
    for (let at = from; at < to; at++) {
      const place = chunks[at]! - base
      if (scores[place]! > 0) scores[place]! += this.#parts[at]!
    }
  }

  // Reading a run stands here twice, and once in postings.ts: a call for each posting would double the time.
  #addLong(base: number, from: number, to: number, into: WindowScores, least: number): void {
    const [bytes, lengths, norms, weight] = [this.#bytes, this.#lengths, this.#norms, this.#weight]
    const { scores, touched } = into
    let touchedCount = into.count
    let place = 0
    for (let at = from; at < to; place++) {
      let step = bytes[at++]!
      if (step >= 128) step = (step & 127) | bytes[at++]! << 7
      place += step >>> 1
      const count = (step & 1) === 0 ? 1 : bytes[at++]!
      const part = partOfScore(weight, count, norms[lengths[base + place]!]!)
      if (part < least) continue
      const before = scores[place]!
      if (before === 0) touched[touchedCount++] = place
      scores[place] = before + part
    }
    into.count = touchedCount
  }

  #raiseLong(base: number, from: number, to: number, scores: Float64Array): void {
    const [bytes, lengths, norms, weight] = [this.#bytes, this.#lengths, this.#norms, this.#weight]
    let place = 0
    for (let at = from; at < to; place++) {
      let step = bytes[at++]!
      if (step >= 128) step = (step & 127) | bytes[at++]! << 7
      place += step >>> 1
      const count = (step & 1) === 0 ? 1 : bytes[at++]!
      const before = scores[place]!
      if (before > 0) scores[place] = before + partOfScore(weight, count, norms[lengths[base + place]!]!)
    }
  }
}
