/** The terms of a segment under construction, numbered in order of appearance. */
export class TermList {
  readonly #names: Array<string> = []
  readonly #numbers = new Map<string, number>()

  get names(): ReadonlyArray<string> {
    return this.#names
  }

  numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#names.length
    this.#names.push(term)
    this.#numbers.set(term, number)
    return number
  }
}
