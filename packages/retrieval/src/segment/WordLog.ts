/** The words of the texts of a segment, one text after the other: the title of each document, then its chunks. */
import type { WordWriter } from "./forwardIndex.ts"

export class WordLog {
  #terms = new Uint32Array(1 << 9)
  #size = 0
  readonly #ends: Array<number> = []

  add(term: number): void {
    if (this.#size === this.#terms.length) this.#grow()
    this.#terms[this.#size++] = term
  }

  /** Returns the number of words. */
  endText(): number {
    const start = this.#ends.at(-1) ?? 0
    this.#ends.push(this.#size)
    return this.#size - start
  }

  /** All texts in sequence. */
  get terms(): Uint32Array {
    return this.#terms
  }

  /** The end of each text. */
  get ends(): ReadonlyArray<number> {
    return this.#ends
  }

  /** `codes` has the code of each term. */
  writeTo(writer: WordWriter, codes: Uint32Array): void {
    let start = 0
    for (const end of this.#ends) {
      writer.write(this.#terms, start, end, codes)
      start = end
    }
  }

  #grow(): void {
    const terms = new Uint32Array(this.#terms.length * 2)
    terms.set(this.#terms)
    this.#terms = terms
  }
}
