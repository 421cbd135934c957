/** The words of the texts of a segment, one text after the other: each document's title, then its chunks. */
import { ByteWriter } from "./ByteWriter.ts"
import { writeColumn } from "./Column.ts"
import { writeWords } from "./wordOrder.ts"

export class WordLog {
  #terms = new Uint32Array(1 << 9)
  #size = 0
  readonly #ends: Array<number> = []

  add(term: number): void {
    if (this.#size === this.#terms.length) this.#grow()
    this.#terms[this.#size++] = term
  }

  endText(): void {
    this.#ends.push(this.#size)
  }

  /** The text that was ended last. */
  lastText(): Uint32Array {
    return this.#terms.subarray(this.#ends.at(-2) ?? 0, this.#ends.at(-1))
  }

  /** `numbers` holds for each term what it is written as. */
  columns(numbers: Uint32Array) {
    const order = new ByteWriter()
    const ends = this.#ends.map((end, text) => {
      writeWords(order, this.#terms, this.#ends[text - 1] ?? 0, end, numbers)
      return order.size
    })
    return { wordOrder: order.written(), wordOrderEnds: writeColumn(ends) }
  }

  #grow(): void {
    const terms = new Uint32Array(this.#terms.length * 2)
    terms.set(this.#terms)
    this.#terms = terms
  }
}
