/** How close the words of a query are to each other in a text, and whether it contains a phrase. */
import type { DocumentTermCounts } from "./DocumentTermCounts.ts"
import type { Reading } from "../query/readings.ts"
import type { Scoring } from "../scoring.ts"

/** Words further apart are unrelated. */
const NEAR = 8

/** Two consecutive terms of a query, by their indexes. */
interface Pair {
  readonly first: number
  readonly second: number
  /** What adjacency of the two adds, as a share of the whole query. */
  readonly weight: number
}

/** The pairs, phrases and names of a query, as indexes of `terms`: first those of the scoring, in their order. */
export interface PositionQuery {
  readonly terms: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<Pair>
  /** For each phrase, its readings. */
  readonly phrases: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>
  /** The readings of all names that have several words. */
  readonly names: ReadonlyArray<ReadonlyArray<number>>
}

const addPairs = (
  { terms }: Reading,
  places: ReadonlyMap<string, number>,
  idf: Scoring["idf"],
  all: Map<number, Pair>
): void => {
  const idfOf = (term: string) => idf.get(term) ?? 0
  const sum = terms.reduce((sum, term) => sum + idfOf(term), 0)
  const pairs = new Map<number, Pair>()
  for (let at = 0; at + 1 < terms.length; at++) {
    const [one, other] = [terms[at]!, terms[at + 1]!]
    const [first, second] = [places.get(one), places.get(other)]
    const weight = Math.min(idfOf(one), idfOf(other)) / sum
    if (first === undefined || second === undefined || first === second || !(weight > 0)) continue
    const key = first * places.size + second
    pairs.set(key, { first, second, weight: weight + (pairs.get(key)?.weight ?? 0) })
  }
  // Equal readings in several languages count once.
  for (const [key, pair] of pairs) if (!all.has(key)) all.set(key, pair)
}

export const positionQueryOf = ({ idf, query: { readings }, terms: scored }: Scoring): PositionQuery => {
  const terms = [
    ...new Set([
      ...scored.map(({ term }) => term),
      ...readings.flatMap(({ names, phrases }) => [...phrases, ...names].flat())
    ])
  ]
  const places = new Map(terms.map((term, place) => [term, place]))
  // A term that does not occur forms no pair, even if a phrase contains it.
  const indexes = new Map(scored.map(({ term }, place) => [term, place]))
  const pairs = new Map<number, Pair>()
  for (const reading of readings) addPairs(reading, indexes, idf, pairs)
  const phrases = readings[0]!.phrases.map((_, at) =>
    readings.map(({ phrases }) => phrases[at]!.map((term) => places.get(term)!))
  )
  const names = readings.flatMap(({ names }) => names).filter((name) => name.length > 1)
    .map((name) => name.map((term) => places.get(term)!))
  return { terms, pairs: [...pairs.values()], phrases, names }
}

/** An upper bound of `proximity` for a hit whose document contains only some of the terms. */
export const maxProximity = ({ pairs }: PositionQuery, counts: DocumentTermCounts, hit: number): number => {
  let sum = 0
  for (const { first, second, weight } of pairs) {
    if (counts.occurs(hit, first) && counts.occurs(hit, second)) sum += weight
  }
  return sum
}

/** The positions of the query's terms in a title and a chunk. */
export class TermPositions {
  #query: PositionQuery = { terms: [], pairs: [], phrases: [], names: [] }
  /** The term and position of each occurrence, ascending; the first `#count` are valid. */
  readonly #terms: Array<number> = []
  readonly #positions: Array<number> = []
  #count = 0
  #before = 0

  open(query: PositionQuery): void {
    this.#query = query
  }

  clear(): void {
    this.#before = 0
    this.#count = 0
  }

  /** Leaves a gap, so that no phrase spans two texts. */
  startAfter(words: number): void {
    this.#before = words + 2 * NEAR
  }

  add(term: number, position: number): void {
    this.#terms[this.#count] = term
    this.#positions[this.#count++] = this.#before + position
  }

  /** The proximity of each pair: 1 if all are adjacent, in the order of the query. */
  proximity(): number {
    let sum = 0
    for (const pair of this.#query.pairs) {
      const gap = this.#gapBetween(pair)
      if (gap <= NEAR) sum += pair.weight / (gap * gap)
    }
    return sum
  }

  holdsAllPhrases(): boolean {
    const { phrases } = this.#query
    return phrases.length > 0 && phrases.every((readings) => readings.some((phrase) => this.#holds(phrase)))
  }

  /** Whether the words of any name follow each other. */
  holdsName(): boolean {
    return this.#query.names.some((name) => this.#holds(name))
  }

  /** The smallest distance between the two; the reverse order counts as one more. */
  #gapBetween({ first, second }: Pair): number {
    let least = Infinity
    let lastFirst = -Infinity
    let lastSecond = -Infinity
    for (let at = 0; at < this.#count; at++) {
      const term = this.#terms[at]!
      const position = this.#positions[at]!
      if (term === first) {
        least = Math.min(least, position - lastSecond + 1)
        lastFirst = position
      } else if (term === second) {
        least = Math.min(least, position - lastFirst)
        lastSecond = position
      }
    }
    return least
  }

  #holds(phrase: ReadonlyArray<number>): boolean {
    for (let at = 0; at + phrase.length <= this.#count; at++) if (this.#beginsAt(at, phrase)) return true
    return false
  }

  /** All words of a phrase are looked up, so adjacent occurrences are adjacent words. */
  #beginsAt(at: number, phrase: ReadonlyArray<number>): boolean {
    const start = this.#positions[at]!
    return phrase.every((term, offset) =>
      this.#terms[at + offset] === term && this.#positions[at + offset] === start + offset
    )
  }
}
