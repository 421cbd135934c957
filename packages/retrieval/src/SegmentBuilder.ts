/** Building a segment from texts. */
import { IdentifierFinder, identifierTerm } from "./identifiers.ts"
import { encodeLength } from "./lengths.ts"
import { PostingLog } from "./PostingLog.ts"
import { sortStrings } from "./stringOrder.ts"
import { Vocabulary } from "./Vocabulary.ts"
import { visitWords } from "./words.ts"
import { WordLog } from "./WordLog.ts"
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
  readonly #words = new WordLog()
  readonly #vocabulary = new Vocabulary(this.#words)
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
    // A title stands in every chunk, and where there is none nowhere.
    const identifiers = this.#scan(chunks.length === 0 ? "" : title)
    const terms = [...this.#words.lastText(), ...identifiers]
    const lengths = chunks.map((text) => {
      for (const term of terms) this.#postings.add(term, this.#chunkCount, TITLE_WEIGHT)
      const named = this.#scan(text)
      const words = this.#words.lastText()
      for (let at = 0; at < words.length; at++) this.#postings.add(words[at]!, this.#chunkCount, 1)
      for (const term of named) this.#postings.add(term, this.#chunkCount, 1)
      this.#chunkCount++
      return encodeLength((terms.length - identifiers.length) * TITLE_WEIGHT + words.length)
    })
    this.#documents.push({ id, version, from, to, tags, lengths })
  }

  build(): Uint8Array {
    const { terms } = this.#vocabulary
    const names = sortStrings(terms.keys())
    const places = new Uint32Array(names.length)
    names.forEach((name, place) => (places[terms.get(name)!] = place))
    return writeSegment(this.#documents, this.#postings.columns(names, places), this.#words, places)
  }

  /** Writes down the words of a text, and gives the terms of the identifiers in it. */
  #scan(text: string): ReadonlyArray<number> {
    const identifiers: Array<number> = []
    const finder = new IdentifierFinder(text, (identifier) => {
      identifiers.push(this.#vocabulary.numberOfTerm(identifierTerm(identifier)))
    })
    visitWords(text, (start, end) => {
      this.#vocabulary.addWord(text, start, end)
      finder.word(start, end)
    })
    finder.finish()
    this.#vocabulary.flush()
    this.#words.endText()
    return identifiers
  }
}
