/** Which documents of a segment are deleted or replaced. The segment itself never changes. */
import type { Segment } from "./Segment.ts"

export class Mask {
  readonly #segment: Segment
  readonly #hidden: Set<number>
  #chunks = 0
  #length = 0

  constructor(segment: Segment, hidden: Iterable<number> = []) {
    this.#segment = segment
    this.#hidden = new Set()
    for (const document of hidden) this.hide(document)
  }

  /** False when it was hidden already. */
  hide(document: number): boolean {
    if (this.#hidden.has(document)) return false
    this.#hidden.add(document)
    const { firstChunks } = this.#segment
    this.#chunks += firstChunks[document + 1]! - firstChunks[document]!
    this.#length += this.#segment.lengthOf(document)
    return true
  }

  hides(document: number): boolean {
    return this.#hidden.has(document)
  }

  /** The numbers of the hidden documents. */
  documents(): Iterable<number> {
    return this.#hidden
  }

  get hiddenDocuments(): number {
    return this.#hidden.size
  }

  get hiddenChunks(): number {
    return this.#chunks
  }

  /** Words in all hidden chunks. */
  get hiddenLength(): number {
    return this.#length
  }

  copy(): Mask {
    return new Mask(this.#segment, this.#hidden)
  }
}

/** A segment as it is read: without what its mask hides. */
export interface ViewPart {
  readonly segment: Segment
  readonly mask: Mask
}
