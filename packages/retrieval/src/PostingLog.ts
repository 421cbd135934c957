/** Which term stands how often in which chunk, written down in the order of the chunks and sorted by term in the end. */
import type { TermColumns } from "./writeSegment.ts"

const MAX_COUNT = 255

const NONE = -1

const grown = <A extends Int32Array | Uint16Array | Uint8Array>(array: A, empty: A): A => {
  empty.set(array)
  return empty
}

export class PostingLog {
  #terms = new Int32Array(1 << 12)
  #chunks = new Uint16Array(1 << 12)
  #counts = new Uint8Array(1 << 12)
  #size = 0
  /** Each term's last entry. */
  #latest = new Int32Array(1 << 10).fill(NONE)

  /** Chunks come in rising order. */
  add(term: number, chunk: number, count: number): void {
    if (term >= this.#latest.length) this.#growTerms(term)
    const latest = this.#latest[term]!
    if (latest !== NONE && this.#chunks[latest] === chunk) {
      this.#counts[latest] = Math.min(MAX_COUNT, this.#counts[latest]! + count)
      return
    }
    if (this.#size === this.#terms.length) this.#grow()
    this.#terms[this.#size] = term
    this.#chunks[this.#size] = chunk
    this.#counts[this.#size] = count
    this.#latest[term] = this.#size++
  }

  /** `order` holds the number of every term, as they are to follow each other. */
  columns(names: ReadonlyArray<string>, order: ReadonlyArray<number>): TermColumns {
    const places = new Int32Array(order.length)
    order.forEach((term, place) => (places[term] = place))
    const offsets = new Uint32Array(order.length + 1)
    for (let at = 0; at < this.#size; at++) offsets[places[this.#terms[at]!]! + 1]!++
    for (let place = 0; place < order.length; place++) offsets[place + 1]! += offsets[place]!
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
    this.#latest = grown(this.#latest, new Int32Array(Math.max(term + 1, this.#latest.length * 2)).fill(NONE))
  }
}
