/** The words of a question, weighted by how rare they are, and how much of them a text covers. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import { parseQuery, STOP_WORDS, termOf, visitWords } from "@tributary/retrieval"
import { likeness, SHORTEST_PART } from "./nearForms.ts"

/** Where a term of the question occurs in a text: by the count of words before it. */
interface Occurrence {
  readonly position: number
  readonly term: number
  readonly likeness: number
}

type Like = readonly [term: number, likeness: number]

const NONE: ReadonlyArray<Like> = []

/** For each term of the question how well it is matched, from 0 to 1. */
export type Matches = Float64Array

export interface Reading {
  readonly matches: Matches
  readonly occurrences: ReadonlyArray<Occurrence>
  /** How many different words it has that are none of the question, as far as they are counted. */
  readonly otherWords: number
}

/** How many passages that nobody has seen, without the word, temper what few passages seem to tell of its rarity. */
const UNSEEN = 300

/** From the idf of a search over this many passages, how telling a term is. */
const weightOf = (idf: number | undefined, passageCount: number): number => {
  const frequency = idf === undefined ? 0 : Math.max(0, (passageCount + 1) / Math.exp(idf) - 0.5)
  return Math.log(1 + (passageCount + UNSEEN - frequency + 0.5) / (frequency + 0.5))
}

/** How many rare words of a question, covered, are as much as can be asked for. */
const MUCH = 3

const SURE = 0.7

const IS_ASCII = /^[\x00-\x7f]*$/

/** More other words make no difference. */
const MOST_OTHERS = 60

const STOP_TERMS: ReadonlySet<string> = new Set([...STOP_WORDS].map(termOf))

export class QuestionTerms {
  readonly #terms: ReadonlyArray<string>
  readonly #weights: ReadonlyArray<number>
  readonly #total: number
  readonly #most: number
  readonly #known = new Map<string, ReadonlyArray<Like>>()
  /** Share of the question that occurs nowhere in the context. */
  readonly absent: number

  constructor(query: string, { idf, passageCount }: Pick<Evidence, "idf" | "passageCount">) {
    this.#terms = [...parseQuery(query).weights.keys()]
    this.#most = weightOf(undefined, passageCount)
    // Stop words alone ask about nothing.
    const asks = this.#terms.some((term) => !STOP_TERMS.has(term))
    this.#weights = this.#terms.map((term) => asks ? weightOf(idf.get(term), passageCount) : 0)
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0) || 1
    const missing = this.#weights.filter((_, at) => !idf.has(this.#terms[at]!))
    this.absent = missing.reduce((sum, weight) => sum + weight, 0) / this.#total
  }

  read(text: string): Reading {
    const matches = this.none()
    const occurrences: Array<Occurrence> = []
    const others = new Set<string>()
    visitWords(text, (start, end, position) => {
      const word = text.slice(start, end)
      const like = this.#like(word)
      if (like.length === 0) {
        if (others.size < MOST_OTHERS) others.add(word)
        return
      }
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

  /** How much is matched, from 0 to 1, whatever else the question says. */
  information(matches: Matches): number {
    return Math.min(1, this.coverage(matches) * this.#total / (MUCH * this.#most))
  }

  /** Share of the terms with digits that are not matched; 0 when there are none. */
  missingNumbers(matches: Matches): number {
    const numbers = this.#terms.flatMap((term, at) => /\d/.test(term) ? [matches[at]!] : [])
    return numbers.length === 0 ? 0 : numbers.filter((match) => match < SURE).length / numbers.length
  }

  /** The best coverage of any stretch of this many words. */
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

  #like(word: string): ReadonlyArray<Like> {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const like = this.#mayBeLike(word) ? this.#likeTerm(termOf(word)) : NONE
    this.#known.set(word, like)
    return like
  }

  #likeTerm(spoken: string): ReadonlyArray<Like> {
    return this.#terms.map((term, at) => [at, likeness(term, spoken)] as const).filter(([, likeness]) => likeness > 0)
  }

  /** Stemming takes time, and most words of a text begin otherwise than all words of the question. */
  #mayBeLike(word: string): boolean {
    if (!IS_ASCII.test(word)) return true
    const lower = word.toLowerCase()
    const beginning = lower.slice(0, SHORTEST_PART)
    return this.#terms.some((term) =>
      term.charCodeAt(0) === lower.charCodeAt(0) ||
      (lower.length >= SHORTEST_PART &&
        (term.includes(beginning) || (term.length >= SHORTEST_PART && lower.includes(term))))
    )
  }
}

/** For each term the better of both. */
export const union = (one: Matches, other: Matches): Matches => one.map((match, term) => Math.max(match, other[term]!))
