/** Which term stands how often in which chunk, written down in the order of the chunks and sorted by term in the end. */
import { MAX_COUNT } from "./postings.ts"
import type { TermColumns } from "./writeSegment.ts"

const grown = <A extends Int32Array | Uint16Array | Uint8Array>(array: A, empty: A): A => {
  empty.set(array)
  return empty
}

export class PostingLog {
  // Enough for a document or two: many segments hold no more.
  #terms = new Int32Array(1 << 9)
  #chunks = new Uint16Array(1 << 9)
  #counts = new Uint8Array(1 << 9)
  #size = 0
  /** For each term one more than the chunk it last stood in, and its entry: side by side, since memory is slow. */
  #latest = new Int32Array(1 << 10)

  /** Chunks come in rising order. */
  add(term: number, chunk: number, count: number): void {
    if (term * 2 >= this.#latest.length) this.#growTerms(term)
    const at = term * 2
    const size = this.#size
    if (this.#latest[at] === chunk + 1) {
      const latest = this.#latest[at + 1]!
      this.#counts[latest] = Math.min(MAX_COUNT, this.#counts[latest]! + count)
      return
    }
    if (size === this.#terms.length) this.#grow()
    this.#terms[size] = term
    this.#chunks[size] = chunk
    this.#counts[size] = count
    this.#latest[at] = chunk + 1
    this.#latest[at + 1] = size
    this.#size = size + 1
  }

  /** `places` tells for every term where it stands among the names. */
  columns(names: ReadonlyArray<string>, places: Uint32Array): TermColumns {
    const offsets = new Uint32Array(names.length + 1)
    for (let at = 0; at < this.#size; at++) offsets[places[this.#terms[at]!]! + 1]!++
    for (let place = 0; place < names.length; place++) offsets[place + 1]! += offsets[place]!
    const next = offsets.slice()
    const chunks = new Uint16Array(this.#size)
    const counts = new Uint8Array(this.#size)
    for (let at = 0; at < this.#size; at++) {
      const to = next[places[this.#terms[at]!]!]!++
      chunks[to] = this.#chunks[at]!
      counts[to] = this.#counts[at]!
    }
    return { names, offsets, chunks, counts }
  }

  #grow(): void {
    const size = this.#size * 2
    this.#terms = grown(this.#terms, new Int32Array(size))
    this.#chunks = grown(this.#chunks, new Uint16Array(size))
    this.#counts = grown(this.#counts, new Uint8Array(size))
  }

  #growTerms(term: number): void {
    this.#latest = grown(this.#latest, new Int32Array(Math.max((term + 1) * 2, this.#latest.length * 2)))
  }
}
