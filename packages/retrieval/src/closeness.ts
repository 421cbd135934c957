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

/** Where the terms of a query stand in a title and a chunk. */
export class Sightings {
  readonly #wanted: Wanted
  /** Which term, and where, in rising order. */
  readonly #terms: Array<number> = []
  readonly #positions: Array<number> = []
  /** The positions of each term. */
  readonly #places: ReadonlyArray<Array<number>>
  #before = 0

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.#places = wanted.terms.map(() => [])
  }

  clear(): void {
    this.#before = 0
    this.#terms.length = 0
    this.#positions.length = 0
    for (const places of this.#places) places.length = 0
  }

  /** What comes from now on stands so far behind so many words that no phrase runs across. */
  goOnAfter(words: number): void {
    this.#before = words + 2 * NEAR
  }

  add(term: number, position: number): void {
    const place = this.#before + position
    this.#terms.push(term)
    this.#positions.push(place)
    this.#places[term]!.push(place)
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
    return phrases.length > 0 && phrases.every((phrase) => this.#terms.some((_, at) => this.#beginsAt(at, phrase)))
  }

  /** All words of a phrase are looked for, so that nothing stands between them here either. */
  #beginsAt(at: number, phrase: ReadonlyArray<number>): boolean {
    const start = this.#positions[at]!
    return phrase.every((term, offset) =>
      this.#terms[at + offset] === term && this.#positions[at + offset] === start + offset
    )
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
