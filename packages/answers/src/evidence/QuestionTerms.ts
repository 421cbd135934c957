/** The words of a question, weighted by how rare they are, and how much of them a text covers. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import { Beginnings, type Query, stemsIn, visitWords } from "@tributary/retrieval"
import { type Matches, type Occurrence, WordOccurrences } from "./WordOccurrences.ts"

interface Word {
  /** As `stemsIn` returns them for the languages of the workspace. */
  readonly stems: ReadonlyArray<string>
  /** The weight of the term. */
  readonly weight: number
  /** Whether it occurs nowhere in the context. */
  readonly isAbsent: boolean
}

/** The number of unseen passages without the word that smooth an idf estimated from few passages. */
const UNSEEN = 300

/** The weight of a term, from the idf of a search over this many passages. */
const weightOf = (idf: number | undefined, passageCount: number): number => {
  const frequency = idf === undefined ? 0 : Math.max(0, (passageCount + 1) / Math.exp(idf) - 0.5)
  return Math.log(1 + (passageCount + UNSEEN - frequency + 0.5) / (frequency + 0.5))
}

const wordsOf = (
  { hasSignificant, languages, readings, weights, words }: Query,
  { idf, passageCount }: Pick<Evidence, "idf" | "passageCount">
): ReadonlyArray<Word> => {
  const known = new Map<string, Word>()
  words.forEach((written, at) => {
    const terms = readings.map((reading) => reading.terms[at]!)
    if (known.has(terms[0]!) || !terms.some((term) => weights.has(term))) return
    const found = terms.find((term) => idf.has(term))
    // The pairs of characters of a longer word count less than a word, as in a search; a repeated word counts once.
    const share = Math.min(1, weights.get(terms[0]!) ?? 1)
    known.set(terms[0]!, {
      stems: stemsIn(languages, written),
      // Words that carry any question ask about nothing.
      weight: hasSignificant ? share * weightOf(found === undefined ? undefined : idf.get(found), passageCount) : 0,
      isAbsent: found === undefined
    })
  })
  return [...known.values()]
}

const isPartOfName = (text: string, start: number, end: number): boolean =>
  /\p{L}\.$/u.test(text.slice(Math.max(0, start - 2), start)) || /^\.\p{L}/u.test(text.slice(end, end + 2))

export class QuestionTerms {
  readonly #words: ReadonlyArray<Word>
  readonly #languages: number
  readonly #total: number
  readonly #known = new Map<string, ReadonlyArray<number>>()
  /** Stemming all words would take too long. */
  readonly #beginnings: Beginnings
  /** Share of the question that occurs nowhere in the context. */
  readonly absent: number

  constructor(evidence: Pick<Evidence, "idf" | "passageCount" | "query">) {
    const { query } = evidence
    this.#words = wordsOf(query, evidence)
    this.#languages = query.languages
    const sum = (words: ReadonlyArray<Word>) => words.reduce((sum, { weight }) => sum + weight, 0)
    this.#total = sum(this.#words) || 1
    this.absent = sum(this.#words.filter(({ isAbsent }) => isAbsent)) / this.#total
    this.#beginnings = new Beginnings(this.#words.flatMap(({ stems }) => stems), query.languages)
  }

  read(text: string): WordOccurrences {
    const occurrences: Array<Occurrence> = []
    visitWords(text, (start, end, position) => {
      const forms = this.#formsOf(text.slice(start, end))
      if (forms.length === 0) return
      const isQualified = isPartOfName(text, start, end)
      for (const word of forms) occurrences.push({ start, position, word, isQualified })
    }, this.#beginnings)
    return new WordOccurrences(occurrences, this.#words.length)
  }

  /** Share of the question that is matched, from 0 to 1. */
  coverage(matches: Matches): number {
    let sum = 0
    for (let at = 0; at < matches.length; at++) sum += matches[at]! * this.#words[at]!.weight
    return sum / this.#total
  }

  /** Share of the words that are matched, from 0 to 1, each counted alike. */
  share(matches: Matches): number {
    const known = this.#words.flatMap(({ weight }, at) => weight > 0 ? [matches[at]!] : [])
    return known.reduce((sum, match) => sum + match, 0) / Math.max(1, known.length)
  }

  /** The weight of the words that are matched, without this many of the rarest ones. */
  weightBeyond(matches: Matches, rarest: number): number {
    const weights = this.#words.flatMap(({ weight }, at) => matches[at]! > 0 ? [weight] : [])
    return weights.sort((one, other) => other - one).slice(rarest).reduce((sum, weight) => sum + weight, 0)
  }

  /** The best coverage of any stretch of this many words. */
  proximity(occurrences: ReadonlyArray<Occurrence>, words: number): number {
    let best = 0
    const matches: Matches = new Float64Array(this.#words.length)
    occurrences.forEach(({ position }, from) => {
      matches.fill(0)
      for (let at = from; at < occurrences.length && occurrences[at]!.position < position + words; at++) {
        matches[occurrences[at]!.word] = 1
      }
      best = Math.max(best, this.coverage(matches))
    })
    return best
  }

  /** The words of the question that have the same stem in a language of the workspace, or in British spelling. */
  #formsOf(written: string): ReadonlyArray<number> {
    const known = this.#known.get(written)
    if (known !== undefined) return known
    const stems = stemsIn(this.#languages, written)
    const forms = this.#words.flatMap((word, at) => word.stems.some((stem, one) => stem === stems[one]) ? [at] : [])
    this.#known.set(written, forms)
    return forms
  }
}
