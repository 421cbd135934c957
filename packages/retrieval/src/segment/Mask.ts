/** The deleted and replaced documents of a segment. The segment itself is immutable. */
import type { Segment } from "./Segment.ts"

export class Mask {
  readonly #segment: Segment
  /** One byte per document, non-zero if it is masked; null while none is. */
  #hidden: Uint8Array | null = null
  #documents = 0
  #chunks = 0
  #length = 0

  constructor(segment: Segment, hidden: Iterable<number> = []) {
    this.#segment = segment
    for (const document of hidden) this.hide(document)
  }

  /** False if it was masked already. */
  hide(document: number): boolean {
    this.#hidden ??= new Uint8Array(this.#segment.documentCount)
    if (this.#hidden[document] === 1) return false
    const { firstChunks } = this.#segment
    this.#chunks += firstChunks[document + 1]! - firstChunks[document]!
    this.#length += this.#segment.lengthOf(document)
    this.#documents++
    this.#hidden[document] = 1
    return true
  }

  hides(document: number): boolean {
    return this.#hidden !== null && this.#hidden[document] === 1
  }

  /** The numbers of the masked documents, ascending. */
  *documents(): Iterable<number> {
    if (this.#hidden === null) return
    for (let at = this.#hidden.indexOf(1); at !== -1; at = this.#hidden.indexOf(1, at + 1)) yield at
  }

  /** One byte per document, or null when none is masked. Do not modify. */
  get hidden(): Uint8Array | null {
    return this.#hidden
  }

  get hiddenDocuments(): number {
    return this.#documents
  }

  get hiddenChunks(): number {
    return this.#chunks
  }

  /** The number of words in all masked chunks. */
  get hiddenLength(): number {
    return this.#length
  }

  copy(): Mask {
    const copy = new Mask(this.#segment)
    copy.#hidden = this.#hidden === null ? null : this.#hidden.slice()
    copy.#documents = this.#documents
    copy.#chunks = this.#chunks
    copy.#length = this.#length
    return copy
  }
}

/** A segment without its masked documents. */
export interface ViewPart {
  readonly segment: Segment
  readonly mask: Mask
}
