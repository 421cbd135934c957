/** Building a segment from texts. */
import { IdentifierFinder, identifierTerm } from "./identifiers.ts"
import { encodeLength } from "./lengths.ts"
import { compareStrings } from "./StringTable.ts"
import { termOf, visitWords } from "./words.ts"
import { type Postings, type SegmentDocument, writeSegment } from "./writeSegment.ts"

/** One version of a document, to be indexed. */
export interface IndexDocument {
  /** A UUID in lower case. */
  readonly id: string
  /** Grows with every version of the document. */
  readonly version: number
  readonly title: string
  /** Consecutive slices; joined they are the document's text. */
  readonly chunks: ReadonlyArray<string>
  /** Labels that filters match exactly. */
  readonly tags: ReadonlyArray<string>
  /** Milliseconds since the epoch. */
  readonly from: number
  /** The end of a thing with a duration, else the same as `from`. */
  readonly to: number
}

/** Chunks are numbered in sixteen bits. */
export const MAX_SEGMENT_CHUNKS = 65_536

/** A word of the title counts as much as so many of the text. */
const TITLE_WEIGHT = 2

const MAX_COUNT = 255

class GrowingPostings {
  #chunks = new Uint16Array(2)
  #counts = new Uint8Array(2)
  #size = 0

  add(chunk: number, count: number): void {
    const last = this.#size - 1
    if (last >= 0 && this.#chunks[last] === chunk) {
      this.#counts[last] = Math.min(MAX_COUNT, this.#counts[last]! + count)
      return
    }
    if (this.#size === this.#chunks.length) this.#grow()
    this.#chunks[this.#size] = chunk
    this.#counts[this.#size++] = count
  }

  get postings(): Postings {
    return { chunks: this.#chunks.subarray(0, this.#size), counts: this.#counts.subarray(0, this.#size) }
  }

  #grow(): void {
    const chunks = new Uint16Array(this.#size * 2)
    const counts = new Uint8Array(this.#size * 2)
    chunks.set(this.#chunks)
    counts.set(this.#counts)
    this.#chunks = chunks
    this.#counts = counts
  }
}

export class SegmentBuilder {
  readonly #documents: Array<SegmentDocument> = []
  readonly #terms = new Map<string, GrowingPostings>()
  #chunkCount = 0

  get chunkCount(): number {
    return this.#chunkCount
  }

  /**
   * A segment holds one version of a document. Throws a `RangeError` when its chunks do not fit any more: begin another
   * segment before that.
   */
  add(document: IndexDocument): void {
    const { chunks, from, id, tags, title, to, version } = document
    const full = this.#chunkCount + chunks.length > MAX_SEGMENT_CHUNKS || this.#documents.length === MAX_SEGMENT_CHUNKS
    if (full) throw new RangeError("the segment is full")
    const lengths = chunks.map((text) => {
      const chunk = this.#chunkCount++
      return encodeLength(this.#index(title, TITLE_WEIGHT, chunk) + this.#index(text, 1, chunk))
    })
    this.#documents.push({ id, version, from, to, tags, lengths })
  }

  build(): Uint8Array {
    const terms = [...this.#terms].sort(([left], [right]) => compareStrings(left, right))
    return writeSegment(this.#documents, terms.map(([term, growing]) => [term, growing.postings]))
  }

  #index(text: string, weight: number, chunk: number): number {
    let words = 0
    const finder = new IdentifierFinder(text, (identifier) => this.#put(identifierTerm(identifier), chunk, weight))
    visitWords(text, (start, end) => {
      this.#put(termOf(text.slice(start, end)), chunk, weight)
      finder.word(start, end)
      words += weight
    })
    finder.finish()
    return words
  }

  #put(term: string, chunk: number, weight: number): void {
    let postings = this.#terms.get(term)
    if (postings === undefined) this.#terms.set(term, postings = new GrowingPostings())
    postings.add(chunk, weight)
  }
}
