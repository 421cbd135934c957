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
export const byRank = (left: Hit, right: Hit): number =>
  right.score - left.score ||
  (left.documentId < right.documentId ? -1 : left.documentId > right.documentId ? 1 : left.ordinal - right.ordinal)

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
    } else if (this.#compare(top, heap[0]!) < 0) {
      heap[0] = top
      this.#sink(0)
    }
    this.#settle()
  }

  /** Of a document that may be there with another chunk, the better of the two. */
  offerBest(top: Top): void {
    const at = this.#indexOf(top)
    if (at === -1) return this.offer(top)
    if (this.#compare(top, this.#heap[at]!) >= 0) return
    this.#heap[at] = top
    this.#sink(at)
    this.#settle()
  }

  #indexOf({ document, part }: Top): number {
    const heap = this.#heap
    for (let at = 0; at < heap.length; at++) if (heap[at]!.document === document && heap[at]!.part === part) return at
    return -1
  }

  /** Best first. */
  best(): ReadonlyArray<Top> {
    return this.#heap.sort((left, right) => this.#compare(left, right))
  }

  #settle(): void {
    if (this.#heap.length >= this.#limit) this.threshold = this.#heap[0]!.score
  }

  /** The same order as `byRank`. */
  #compare(left: Top, right: Top): number {
    if (left.score !== right.score) return right.score - left.score
    if (left.part === right.part && left.document === right.document) return left.chunk - right.chunk
    const leftIds = this.#parts[left.part]!.segment.idBytes(left.document)
    const rightIds = this.#parts[right.part]!.segment.idBytes(right.document)
    return compareUuids(leftIds, left.document * UUID, rightIds, right.document * UUID)
  }

  #rise(from: number): void {
    const heap = this.#heap
    const risen = heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(heap[parent]!, risen) > 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = risen
  }

  #sink(from: number): void {
    const heap = this.#heap
    const sunk = heap[from]!
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (this.#compare(heap[child]!, sunk) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = sunk
  }
}
