/** Which documents of a segment are deleted or replaced. The segment itself never changes. */
import type { Segment } from "./Segment.ts"

export class Mask {
  readonly #segment: Segment
  /** One for each document that is hidden; null as long as none is. */
  #hidden: Uint8Array | null = null
  #documents = 0
  #chunks = 0
  #length = 0

  constructor(segment: Segment, hidden: Iterable<number> = []) {
    this.#segment = segment
    for (const document of hidden) this.hide(document)
  }

  /** False when it was hidden already. */
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

  /** The numbers of the hidden documents, rising. */
  *documents(): Iterable<number> {
    if (this.#hidden === null) return
    for (let at = this.#hidden.indexOf(1); at !== -1; at = this.#hidden.indexOf(1, at + 1)) yield at
  }

  /** One for each document that is hidden, or null when none is; not to be changed. */
  get hidden(): Uint8Array | null {
    return this.#hidden
  }

  get hiddenDocuments(): number {
    return this.#documents
  }

  get hiddenChunks(): number {
    return this.#chunks
  }

  /** Words in all hidden chunks. */
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

/** A segment as it is read: without what its mask hides. */
export interface ViewPart {
  readonly segment: Segment
  readonly mask: Mask
}
