/** The words of a question, weighted by how rare they are, and how much of them a text covers. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import { parseQuery, termOf, visitWords } from "@tributary/retrieval"
import { likeness } from "./nearForms.ts"

/** Where a term of the question occurs in a text: by the count of words before it. */
interface Occurrence {
  readonly position: number
  readonly term: number
  readonly likeness: number
}

/** For each term of the question how well it is matched, from 0 to 1. */
export type Matches = Float64Array

export interface Reading {
  readonly matches: Matches
  readonly occurrences: ReadonlyArray<Occurrence>
  /** How many different words it has that are none of the question. */
  readonly otherWords: number
}

export class QuestionTerms {
  readonly #terms: ReadonlyArray<string>
  readonly #weights: ReadonlyArray<number>
  readonly #total: number
  readonly #known = new Map<string, ReadonlyArray<readonly [term: number, likeness: number]>>()
  /** Share of the question that occurs nowhere in the context. */
  readonly absent: number

  constructor(query: string, { idf, passageCount }: Pick<Evidence, "idf" | "passageCount">) {
    this.#terms = [...parseQuery(query).weights.keys()]
    const most = Math.log(1 + passageCount)
    this.#weights = this.#terms.map((term) => idf.get(term) ?? most)
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0) || 1
    const missing = this.#weights.filter((_, at) => !idf.has(this.#terms[at]!))
    this.absent = missing.reduce((sum, weight) => sum + weight, 0) / this.#total
  }

  get count(): number {
    return this.#terms.length
  }

  get total(): number {
    return this.#total
  }

  read(text: string): Reading {
    const matches = this.none()
    const occurrences: Array<Occurrence> = []
    const others = new Set<string>()
    visitWords(text, (start, end, position) => {
      const word = termOf(text.slice(start, end))
      const like = this.#like(word)
      if (like.length === 0) others.add(word)
      for (const [term, likeness] of like) {
        occurrences.push({ position, term, likeness })
        matches[term] = Math.max(matches[term]!, likeness)
      }
    })
    return { matches, occurrences, otherWords: others.size }
  }

  none(): Matches {
    return new Float64Array(this.#terms.length)
  }

  /** Share of the question that is matched, from 0 to 1. */
  coverage(matches: Matches): number {
    return matches.reduce((sum, match, term) => sum + match * this.#weights[term]!, 0) / this.#total
  }

  /** Share of the question that its most telling unmatched word makes up. */
  gap(matches: Matches): number {
    return this.#weights.reduce((most, weight, term) => Math.max(most, (1 - matches[term]!) * weight), 0) / this.#total
  }

  /** The best coverage of any stretch of so many words. */
  proximity({ occurrences }: Reading, words: number): number {
    let best = 0
    occurrences.forEach(({ position }, from) => {
      const matches = this.none()
      for (let at = from; at < occurrences.length && occurrences[at]!.position < position + words; at++) {
        const { likeness, term } = occurrences[at]!
        matches[term] = Math.max(matches[term]!, likeness)
      }
      best = Math.max(best, this.coverage(matches))
    })
    return best
  }

  #like(word: string) {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const like = this.#terms.map((term, at) => [at, likeness(term, word)] as const).filter(([, likeness]) =>
      likeness > 0
    )
    this.#known.set(word, like)
    return like
  }
}

/** For each term the better of both. */
export const union = (one: Matches, other: Matches): Matches => one.map((match, term) => Math.max(match, other[term]!))
