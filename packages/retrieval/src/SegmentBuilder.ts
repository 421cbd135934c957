/** Building a segment from texts. */
import { IdentifierFinder, identifierTerm } from "./identifiers.ts"
import { encodeLength } from "./lengths.ts"
import { PostingLog } from "./PostingLog.ts"
import { sortStrings } from "./stringOrder.ts"
import { Vocabulary } from "./Vocabulary.ts"
import { visitWords } from "./words.ts"
import { type SegmentDocument, writeSegment } from "./writeSegment.ts"

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

export class SegmentBuilder {
  readonly #documents: Array<SegmentDocument> = []
  readonly #vocabulary = new Vocabulary()
  readonly #postings = new PostingLog()
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
    const { terms } = this.#vocabulary
    const names = sortStrings(terms.keys())
    return writeSegment(this.#documents, this.#postings.columns(names, names.map((name) => terms.get(name)!)))
  }

  /** Says how many words there are, by weight. */
  #index(text: string, weight: number, chunk: number): number {
    let words = 0
    const finder = new IdentifierFinder(text, (identifier) => {
      this.#postings.add(this.#vocabulary.numberOfTerm(identifierTerm(identifier)), chunk, weight)
    })
    visitWords(text, (start, end) => {
      this.#postings.add(this.#vocabulary.numberOf(text, start, end), chunk, weight)
      finder.word(start, end)
      words += weight
    })
    finder.finish()
    return words
  }
}
