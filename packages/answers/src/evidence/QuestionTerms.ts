/** The words of a question, weighted by how rare they are, and how much of them a text covers. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import { Beginnings, type Query, stemsIn, visitWords } from "@tributary/retrieval"
import { likeness } from "./nearForms.ts"
import { type Matches, type Occurrence, WordOccurrences } from "./WordOccurrences.ts"

interface Word {
  /** In each language of the workspace. */
  readonly stems: ReadonlyArray<string>
  /** The weight of the term. */
  readonly weight: number
  /** Whether it occurs nowhere in the context. */
  readonly isAbsent: boolean
}

type Like = readonly [word: number, likeness: number]

const NONE: ReadonlyArray<Like> = []

/** The number of unseen passages without the word that smooth an idf estimated from few passages. */
const UNSEEN = 300

/** The weight of a term, from the idf of a search over this many passages. */
const weightOf = (idf: number | undefined, passageCount: number): number => {
  const frequency = idf === undefined ? 0 : Math.max(0, (passageCount + 1) / Math.exp(idf) - 0.5)
  return Math.log(1 + (passageCount + UNSEEN - frequency + 0.5) / (frequency + 0.5))
}

/** The number of covered rare words of a question that counts as full coverage. */
const MUCH = 3

/** A longer word of a script without spaces is read as several, which overlap: each is that share of a word. */
const sharesIn = (text: string): ReadonlyMap<string, number> => {
  const runs: Array<Array<string>> = []
  let last = 0
  visitWords(text, (start, end) => {
    if (start < last) runs.at(-1)!.push(text.slice(start, end))
    else runs.push([text.slice(start, end)])
    last = end
  })
  return new Map(runs.flatMap((run) => run.map((word) => [word, 1 / run.length])))
}

const wordsOf = (
  { hasSignificant, languages, readings, text, weights, words }: Query,
  { idf, passageCount }: Pick<Evidence, "idf" | "passageCount">
): ReadonlyArray<Word> => {
  const known = new Map<string, Word>()
  const shares = sharesIn(text)
  words.forEach((written, at) => {
    const terms = readings.map((reading) => reading.terms[at]!)
    if (known.has(terms[0]!) || !terms.some((term) => weights.has(term))) return
    const found = terms.find((term) => idf.has(term))
    known.set(terms[0]!, {
      stems: stemsIn(languages, written),
      // Words that carry any question ask about nothing.
      weight: hasSignificant
        ? weightOf(found === undefined ? undefined : idf.get(found), passageCount) * shares.get(written)!
        : 0,
      isAbsent: found === undefined
    })
  })
  return [...known.values()]
}

const SECOND_LETTERS = [..."ye"].map((letter) => letter.charCodeAt(0))

/** The prefixes of words that may be similar to one of the question: stemming all others would take too long. */
const beginningsOf = (words: ReadonlyArray<Word>): Beginnings => {
  const beginnings = new Beginnings()
  for (const stem of words.flatMap(({ stems }) => stems)) {
    const [first, second] = [stem.charCodeAt(0), stem.charCodeAt(1)]
    if (!(first < 128)) continue
    // A stem may have an `i` for the `y` of its word, and an `a` for an `ae`.
    for (const other of SECOND_LETTERS) beginnings.add(first, other)
    if (second < 128) beginnings.add(first, second)
    else if (stem.length === 1) beginnings.add(first)
  }
  return beginnings
}

export class QuestionTerms {
  readonly #words: ReadonlyArray<Word>
  readonly #languages: number
  readonly #total: number
  readonly #most: number
  readonly #known = new Map<string, ReadonlyArray<Like>>()
  readonly #beginnings: Beginnings
  /** Share of the question that occurs nowhere in the context. */
  readonly absent: number

  constructor(evidence: Pick<Evidence, "idf" | "passageCount" | "query">) {
    const { passageCount, query } = evidence
    this.#words = wordsOf(query, evidence)
    this.#languages = query.languages
    this.#most = weightOf(undefined, passageCount)
    const sum = (words: ReadonlyArray<Word>) => words.reduce((sum, { weight }) => sum + weight, 0)
    this.#total = sum(this.#words) || 1
    this.absent = sum(this.#words.filter(({ isAbsent }) => isAbsent)) / this.#total
    this.#beginnings = beginningsOf(this.#words)
  }

  read(text: string): WordOccurrences {
    const occurrences: Array<Occurrence> = []
    visitWords(text, (start, end, position) => {
      if (!this.#beginnings.has(text.charCodeAt(start), text.charCodeAt(start + 1))) return
      for (const [word, likeness] of this.#like(text.slice(start, end))) {
        occurrences.push({ start, position, word, likeness })
      }
    })
    return new WordOccurrences(occurrences, this.#words.length)
  }

  none(): Matches {
    return new Float64Array(this.#words.length)
  }

  /** Share of the question that is matched, from 0 to 1. */
  coverage(matches: Matches): number {
    let sum = 0
    for (let at = 0; at < matches.length; at++) sum += matches[at]! * this.#words[at]!.weight
    return sum / this.#total
  }

  /** How much is matched, from 0 to 1, whatever the rest of the question. Each further word counts less. */
  information(matches: Matches): number {
    return Math.sqrt(Math.min(1, this.coverage(matches) * this.#total / (MUCH * this.#most)))
  }

  /** The best coverage of any stretch of this many words. */
  proximity(occurrences: ReadonlyArray<Occurrence>, words: number): number {
    let best = 0
    const matches = this.none()
    occurrences.forEach(({ position }, from) => {
      matches.fill(0)
      for (let at = from; at < occurrences.length && occurrences[at]!.position < position + words; at++) {
        const { likeness, word } = occurrences[at]!
        matches[word] = Math.max(matches[word]!, likeness)
      }
      best = Math.max(best, this.coverage(matches))
    })
    return best
  }

  #like(word: string): ReadonlyArray<Like> {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const like = this.#likenesses(stemsIn(this.#languages, word))
    this.#known.set(word, like)
    return like
  }

  #likenesses(stems: ReadonlyArray<string>): ReadonlyArray<Like> {
    const like = this.#words.map((word, at): Like => [
      at,
      stems.reduce((most, stem, language) => Math.max(most, likeness(word.stems[language]!, stem)), 0)
    ]).filter(([, likeness]) => likeness > 0)
    return like.length === 0 ? NONE : like
  }
}
