/** How near the words of a query stand to each other, and whether a phrase is among them. */
import type { DocumentTimes } from "./documentScore.ts"
import type { Reading } from "./Query.ts"
import type { Scoring } from "./scoring.ts"

/** Words further apart than this say nothing about each other. */
export const NEAR = 8

/** Two terms that follow each other in a query, by their places among those looked for. */
interface Pair {
  readonly first: number
  readonly second: number
  /** What standing side by side is worth, as a share of the whole query. */
  readonly worth: number
}

/** What a query looks for, a term by its place in `terms`: first those of the scoring, in their order. */
export interface Wanted {
  readonly terms: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<Pair>
  /** For each phrase all that it is read as. */
  readonly phrases: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>>
}

const addPairs = (
  { terms }: Reading,
  places: ReadonlyMap<string, number>,
  idf: Scoring["idf"],
  all: Map<number, Pair>
): void => {
  const rarityOf = (term: string) => idf.get(term) ?? 0
  const sum = terms.reduce((sum, term) => sum + rarityOf(term), 0)
  const pairs = new Map<number, Pair>()
  for (let at = 0; at + 1 < terms.length; at++) {
    const [one, other] = [terms[at]!, terms[at + 1]!]
    const [first, second] = [places.get(one), places.get(other)]
    const worth = Math.min(rarityOf(one), rarityOf(other)) / sum
    if (first === undefined || second === undefined || first === second || !(worth > 0)) continue
    const key = first * places.size + second
    pairs.set(key, { first, second, worth: worth + (pairs.get(key)?.worth ?? 0) })
  }
  // What another language reads in the same way counts once.
  for (const [key, pair] of pairs) if (!all.has(key)) all.set(key, pair)
}

export const wantedBy = ({ idf, query: { readings }, terms: scored }: Scoring): Wanted => {
  const terms = [...new Set([...scored.map(({ term }) => term), ...readings.flatMap(({ phrases }) => phrases.flat())])]
  const places = new Map(terms.map((term, place) => [term, place]))
  // A term that stands nowhere makes no pair, though a phrase may hold it.
  const standing = new Map(scored.map(({ term }, place) => [term, place]))
  const pairs = new Map<number, Pair>()
  for (const reading of readings) addPairs(reading, standing, idf, pairs)
  const phrases = readings[0]!.phrases.map((_, at) =>
    readings.map(({ phrases }) => phrases[at]!.map((term) => places.get(term)!))
  )
  return { terms, pairs: [...pairs.values()], phrases }
}

/** No more than this is `proximity` in a hit, whose document holds only some of the terms. */
export const mostCloseness = ({ pairs }: Wanted, times: DocumentTimes, hit: number): number => {
  let sum = 0
  for (const { first, second, worth } of pairs) {
    if (times.stands(hit, first) && times.stands(hit, second)) sum += worth
  }
  return sum
}

/** Where the terms of a query stand in a title and a chunk. */
export class Sightings {
  #wanted: Wanted = { terms: [], pairs: [], phrases: [] }
  /** Which term, and where, in rising order; as many as `#count`, so that there is room for the next text. */
  readonly #terms: Array<number> = []
  readonly #positions: Array<number> = []
  #count = 0
  #before = 0

  lookFor(wanted: Wanted): void {
    this.#wanted = wanted
  }

  clear(): void {
    this.#before = 0
    this.#count = 0
  }

  /** What comes from now on stands so far behind this many words that no phrase runs across. */
  goOnAfter(words: number): void {
    this.#before = words + 2 * NEAR
  }

  add(term: number, position: number): void {
    this.#terms[this.#count] = term
    this.#positions[this.#count++] = this.#before + position
  }

  /** How near the terms of each pair stand: 1 when all stand side by side, in the order of the query. */
  proximity(): number {
    let sum = 0
    for (const pair of this.#wanted.pairs) {
      const gap = this.#gapBetween(pair)
      if (gap <= NEAR) sum += pair.worth / (gap * gap)
    }
    return sum
  }

  holdsAllPhrases(): boolean {
    const { phrases } = this.#wanted
    return phrases.length > 0 && phrases.every((readings) => readings.some((phrase) => this.#holds(phrase)))
  }

  /** The least distance from one to the other; the wrong way round counts as one more. */
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

  /** All words of a phrase are looked for, so that nothing stands between them here either. */
  #beginsAt(at: number, phrase: ReadonlyArray<number>): boolean {
    const start = this.#positions[at]!
    return phrase.every((term, offset) =>
      this.#terms[at + offset] === term && this.#positions[at + offset] === start + offset
    )
  }
}
