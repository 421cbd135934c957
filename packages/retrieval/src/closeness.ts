/** How near the words of a query stand to each other, and whether a phrase is among them. */
import type { Query } from "./Query.ts"

/** Words further apart than this say nothing about each other. */
export const NEAR = 8

/** Two terms that follow each other in a query, by their places among those looked for. */
interface Pair {
  readonly first: number
  readonly second: number
  /** What standing side by side is worth, as a share of the whole query. */
  readonly worth: number
}

/** What a query looks for, a term by its place in `terms`. */
export interface Wanted {
  readonly terms: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<Pair>
  readonly phrases: ReadonlyArray<ReadonlyArray<number>>
}

export const wantedBy = (query: Query, rarities: ReadonlyMap<string, number>): Wanted => {
  const terms = [...new Set([...query.weights.keys(), ...query.phrases.flat()])]
  const places = new Map(terms.map((term, place) => [term, place]))
  const rarityOf = (term: string) => rarities.get(term) ?? 0
  const all = query.terms.reduce((sum, term) => sum + rarityOf(term), 0)
  const pairs = new Map<string, Pair>()
  for (let at = 0; at + 1 < query.terms.length; at++) {
    const [one, other] = [query.terms[at]!, query.terms[at + 1]!]
    const [first, second] = [places.get(one), places.get(other)]
    const worth = Math.min(rarityOf(one), rarityOf(other)) / all
    if (first === undefined || second === undefined || first === second || !(worth > 0)) continue
    const key = `${first} ${second}`
    pairs.set(key, { first, second, worth: worth + (pairs.get(key)?.worth ?? 0) })
  }
  return {
    terms,
    pairs: [...pairs.values()],
    phrases: query.phrases.map((phrase) => phrase.map((term) => places.get(term)!))
  }
}

/** A title and a chunk as far as a query is concerned. */
export class Sequence {
  readonly #wanted: Wanted
  /** For each word the term, one more than its place among those looked for; else zero. */
  #words = new Uint16Array(1 << 10)
  #size = 0
  /** Where each term stands. */
  readonly #places: ReadonlyArray<Array<number>>

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#places = wanted.terms.map(() => [])
  }

  clear(): void {
    this.#size = 0
    for (const places of this.#places) places.length = 0
  }

  /** So far apart that no phrase runs across. */
  leaveGap(): void {
    this.#makeRoom(2 * NEAR)
    this.#words.fill(0, this.#size, this.#size += 2 * NEAR)
  }

  /** `marks` holds for each number the term, one more than its place, or zero. */
  append(words: Uint32Array, marks: Uint16Array): void {
    this.#makeRoom(words.length)
    for (let at = 0; at < words.length; at++, this.#size++) {
      const mark = marks[words[at]!]!
      this.#words[this.#size] = mark
      if (mark !== 0) this.#places[mark - 1]!.push(this.#size)
    }
  }

  /** How near the terms of each pair stand: 1 when all stand side by side, in the order of the query. */
  closeness(): number {
    let sum = 0
    for (const { first, second, worth } of this.#wanted.pairs) {
      const gap = gapBetween(this.#places[first]!, this.#places[second]!)
      if (gap <= NEAR) sum += worth / (gap * gap)
    }
    return sum
  }

  holdsAllPhrases(): boolean {
    const { phrases } = this.#wanted
    return phrases.length > 0 && phrases.every((phrase) => this.#holds(phrase))
  }

  #holds(phrase: ReadonlyArray<number>): boolean {
    return this.#places[phrase[0]!]!.some((start) =>
      start + phrase.length <= this.#size && phrase.every((term, offset) => this.#words[start + offset] === term + 1)
    )
  }

  #makeRoom(size: number): void {
    if (this.#size + size <= this.#words.length) return
    const words = new Uint16Array(2 * (this.#size + size))
    words.set(this.#words)
    this.#words = words
  }
}

/** The least distance from a word to the next one of the query; the wrong way round counts as one more. */
const gapBetween = (first: ReadonlyArray<number>, second: ReadonlyArray<number>): number => {
  let least = Infinity
  let from = 0
  for (const place of first) {
    while (from < second.length && second[from]! < place - NEAR) from++
    for (let at = from; at < second.length && second[at]! <= place + NEAR; at++) {
      const gap = second[at]! > place ? second[at]! - place : place - second[at]! + 1
      if (gap < least) least = gap
    }
  }
  return least
}
