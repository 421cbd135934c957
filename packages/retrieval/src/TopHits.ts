/** The best so many of a stream of hits: a heap whose root is the least of them. */

export interface Hit {
  /** Which part of the view, and which chunk of its segment. */
  readonly part: number
  readonly chunk: number
  readonly documentId: string
  readonly version: number
  /** The chunk's index in its document. */
  readonly ordinal: number
  readonly score: number
  /** An identifier that the query names stands here, exactly. */
  readonly identifier: boolean
  readonly from: number
  readonly to: number
}

/** Best first. Ties go by document and place in it, so that the order does not depend on how a view is cut. */
export const byRank = (left: Hit, right: Hit): number =>
  right.score - left.score ||
  (left.documentId < right.documentId ? -1 : left.documentId > right.documentId ? 1 : left.ordinal - right.ordinal)

export class TopHits {
  readonly #limit: number
  readonly #heap: Array<Hit> = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A score below this one cannot enter. */
  get threshold(): number {
    return this.#heap.length < this.#limit ? -Infinity : this.#heap[0]!.score
  }

  offer(hit: Hit): void {
    const heap = this.#heap
    if (heap.length < this.#limit) {
      heap.push(hit)
      this.#rise(heap.length - 1)
    } else if (this.#limit > 0 && byRank(hit, heap[0]!) < 0) {
      heap[0] = hit
      this.#sink()
    }
  }

  best(): ReadonlyArray<Hit> {
    return this.#heap.sort(byRank)
  }

  #rise(from: number): void {
    const heap = this.#heap
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (byRank(heap[parent]!, heap[at]!) > 0) return
      ;[heap[parent], heap[at]] = [heap[at]!, heap[parent]!]
      at = parent
    }
  }

  #sink(): void {
    const heap = this.#heap
    for (let at = 0;;) {
      let worst = at
      for (const child of [at * 2 + 1, at * 2 + 2]) {
        if (child < heap.length && byRank(heap[child]!, heap[worst]!) > 0) worst = child
      }
      if (worst === at) return
      ;[heap[worst], heap[at]] = [heap[at]!, heap[worst]!]
      at = worst
    }
  }
}
