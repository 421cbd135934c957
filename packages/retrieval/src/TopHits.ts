/** The best so many of a stream of chunks: a heap whose root is the least of them. */
import type { ViewPart } from "./Mask.ts"
import { compareUuids, UUID } from "./uuidBytes.ts"

export interface Hit {
  /** Which part of the view, and which chunk of its segment. */
  readonly part: number
  readonly chunk: number
  readonly documentId: string
  readonly version: number
  /** The chunk's index in its document. */
  readonly ordinal: number
  readonly score: number
  /** What the query names or quotes stands here, exactly; by the words of the index alone, or of the text where it was read. */
  readonly identifier: boolean
  readonly from: number
  readonly to: number
}

/** Best first. Ties go by document and place in it, so that the order does not depend on how a view is cut. */
export const byRank = (left: Hit, right: Hit): number => {
  if (left.score !== right.score) return left.score > right.score ? -1 : 1
  return left.documentId < right.documentId ? -1 : left.documentId > right.documentId ? 1 : left.ordinal - right.ordinal
}

export interface Top {
  readonly part: number
  readonly document: number
  readonly chunk: number
  readonly score: number
}

export const hitOf = ({ segment }: ViewPart, { chunk, document, part, score }: Top, identifier: boolean): Hit => ({
  part,
  chunk,
  documentId: segment.idOf(document),
  version: segment.versionOf(document),
  ordinal: chunk - segment.firstChunks[document]!,
  score,
  identifier,
  from: segment.fromOf(document),
  to: segment.toOf(document)
})

export class TopHits {
  readonly #parts: ReadonlyArray<ViewPart>
  readonly #limit: number
  readonly #heap: Array<Top> = []
  /** A score below this one cannot enter. */
  threshold = -Infinity

  constructor(parts: ReadonlyArray<ViewPart>, limit: number) {
    this.#parts = parts
    this.#limit = limit
  }

  offer(top: Top): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push(top)
      this.#rise(heap.length - 1)
    } else if (this.#isBetter(top, heap[0]!)) {
      this.#sink(top, 0, heap.length)
    }
    this.#settle()
  }

  /** Of a document that may be there with another chunk, the better of the two. */
  offerBest(top: Top): void {
    const at = this.#indexOf(top)
    if (at === -1) return this.offer(top)
    if (!this.#isBetter(top, this.#heap[at]!)) return
    this.#sink(top, at, this.#heap.length)
    this.#settle()
  }

  #indexOf({ document, part }: Top): number {
    const heap = this.#heap
    for (let at = 0; at < heap.length; at++) if (heap[at]!.document === document && heap[at]!.part === part) return at
    return -1
  }

  /** Best first; to be asked for once, when nothing more is offered. */
  best(): ReadonlyArray<Top> {
    const heap = this.#heap
    for (let size = heap.length - 1; size > 0; size--) {
      const last = heap[size]!
      heap[size] = heap[0]!
      this.#sink(last, 0, size)
    }
    return heap
  }

  #settle(): void {
    if (this.#heap.length >= this.#limit) this.threshold = this.#heap[0]!.score
  }

  /** The same order as `byRank`. */
  #isBetter(left: Top, right: Top): boolean {
    if (left.score !== right.score) return left.score > right.score
    if (left.part === right.part && left.document === right.document) return left.chunk < right.chunk
    const leftIds = this.#parts[left.part]!.segment.idBytes(left.document)
    const rightIds = this.#parts[right.part]!.segment.idBytes(right.document)
    return compareUuids(leftIds, left.document * UUID, rightIds, right.document * UUID) < 0
  }

  #rise(from: number): void {
    const heap = this.#heap
    const risen = heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBetter(heap[parent]!, risen)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = risen
  }

  /** Among the first `size`, from where there is room for it. */
  #sink(sunk: Top, from: number, size: number): void {
    const heap = this.#heap
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= size) break
      if (child + 1 < size && this.#isBetter(heap[child]!, heap[child + 1]!)) child++
      if (!this.#isBetter(sunk, heap[child]!)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = sunk
  }
}
