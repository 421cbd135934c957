/** The words of a question, weighted by how rare they are, and how much of them a text covers. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import {
  Beginnings,
  hyphenatedTerm,
  NameFinder,
  type Query,
  stemOf,
  stemsIn,
  visitHyphenated,
  visitWords
} from "@tributary/retrieval"
import { type Matches, type Occurrence, WordOccurrences } from "./WordOccurrences.ts"

interface Word {
  /** As `stemsIn` returns them for the languages of the workspace; of the word, and of both if a hyphen joins it. */
  readonly stems: ReadonlyArray<ReadonlyArray<string>>
  /** Less than 1 for one of the pairs of characters of a longer word. */
  readonly share: number
  /** The weight of the term. */
  readonly weight: number
  /** Whether it occurs nowhere in the context, or is part of a name that does not. */
  readonly isAbsent: boolean
}

/** The number of unseen passages without the word that smooth an idf estimated from few passages. */
const UNSEEN = 300

/** The weight of a term, from the idf of a search over this many passages. */
const weightOf = (idf: number | undefined, passageCount: number): number => {
  const frequency = idf === undefined ? 0 : Math.max(0, (passageCount + 1) / Math.exp(idf) - 0.5)
  return Math.log(1 + (passageCount + UNSEEN - frequency + 0.5) / (frequency + 0.5))
}

/** For each word that a hyphen joins to another, both without it: `e-mail`, `email`. */
const wholesIn = (text: string): ReadonlyMap<string, string> => {
  const wholes = new Map<string, string>()
  visitHyphenated(text, (start, end, joined) => {
    visitWords(text.slice(start, end), (from, to) => wholes.set(text.slice(start + from, start + to), joined))
  })
  return wholes
}

const wordsOf = (
  { hasSignificant, languages, readings, text, weights, words }: Query,
  { idf, passageCount }: Pick<Evidence, "idf" | "passageCount">
): ReadonlyArray<Word> => {
  const known = new Map<string, Word>()
  const wholes = wholesIn(text)
  words.forEach((written, at) => {
    const terms = readings.map((reading) => reading.terms[at]!)
    if (known.has(terms[0]!) || !terms.some((term) => weights.has(term))) return
    const whole = wholes.get(written)
    const stems = (whole === undefined ? [written] : [written, whole]).map((word) => stemsIn(languages, word))
    const found = terms.flatMap((term) => [term, hyphenatedTerm(term)]).find((term) => idf.has(term)) ??
      (whole === undefined ? undefined : [...idf.keys()].find((term) => stems.at(-1)!.includes(stemOf(term))))
    // The pairs of characters of a longer word count less than a word, as in a search; a repeated word counts once.
    const share = Math.min(1, weights.get(terms[0]!) ?? 1)
    known.set(terms[0]!, {
      stems,
      share,
      // Words that carry any question ask about nothing.
      weight: hasSignificant ? share * weightOf(found === undefined ? undefined : idf.get(found), passageCount) : 0,
      isAbsent: found === undefined
    })
  })
  return [...known.values()]
}

/**
 * Whether a name is another one if it differs at all: a key, a version. People are also called by parts of their name,
 * and a script without capitals does not show which words are a name. A key within a longer name is a name by itself:
 * with `Tool 1.2`, a text may have `1.2` elsewhere.
 */
const isStrict = ({ cased, certainty }: Query["names"][number], keys: ReadonlyArray<string>): boolean =>
  !/\p{Lo}/u.test(cased) && certainty !== "occurrence" &&
  (certainty === "form" || /\p{N}/u.test(keys.reduce((rest, key) => rest.replaceAll(key, ""), cased)))

const isPartOfName = (text: string, start: number, end: number): boolean =>
  /\p{L}\.$/u.test(text.slice(Math.max(0, start - 2), start)) || /^\.\p{L}/u.test(text.slice(end, end + 2))

/**
 * A name counts as one more word, which weighs as much as all of its own, less the more passages contain it. The words of
 * a name that no passage contains are absent, even if they occur in similar names.
 */
export class QuestionTerms {
  readonly #words: ReadonlyArray<Word>
  readonly #names: NameFinder
  /** Of each word, then of each name. */
  readonly #weights: ReadonlyArray<number>
  readonly #languages: number
  readonly #total: number
  readonly #known = new Map<string, ReadonlyArray<number>>()
  readonly #readings = new Map<string, WordOccurrences>()
  /** Stemming all words would take too long. */
  readonly #beginnings: Beginnings
  /** Share of the question that occurs nowhere in the context. */
  readonly absent: number
  /** The weight of a word that occurs nowhere, which grows with the text that could have it. */
  readonly unseen: number

  constructor(evidence: Pick<Evidence, "idf" | "passageCount" | "passages" | "query">) {
    const { passages, query } = evidence
    const words = wordsOf(query, evidence)
    this.#words = words
    this.unseen = weightOf(undefined, evidence.passageCount)
    this.#languages = query.languages
    this.#beginnings = new Beginnings(words.flatMap(({ stems }) => stems.flat()), query.languages)
    const texts = passages.map(({ document, text }) => `${document.title ?? ""}\n\n${text}`)
    this.#names = new NameFinder(query.names, texts)
    const frequencies = query.names.map(() => 0)
    for (const text of texts) {
      const found = new Set<number>()
      this.#names.visit(text, (name) => found.add(name))
      for (const name of found) frequencies[name]!++
    }
    const wordsOfNames = query.names.map(({ cased }) => this.#wordsIn(cased))
    const idf = (frequency: number) => Math.log(1 + (passages.length - frequency + 0.5) / (frequency + 0.5))
    const nameWeights = frequencies.map((frequency, name) => {
      const weight = [...wordsOfNames[name]!].reduce((sum, word) => sum + words[word]!.weight, 0)
      return frequency === 0 ? 0 : weight * idf(frequency) / idf(0)
    })
    const keys = query.names.filter(({ certainty }) => certainty === "form").map(({ cased }) => cased)
    const missing = new Set(
      query.names.flatMap((name, at) => frequencies[at] === 0 && isStrict(name, keys) ? [...wordsOfNames[at]!] : [])
    )
    this.#words = words.map((word, at) => missing.has(at) ? { ...word, isAbsent: true } : word)
    const sum = (weights: ReadonlyArray<number>) => weights.reduce((sum, weight) => sum + weight, 0)
    this.#weights = [...words.map(({ weight }) => weight), ...nameWeights]
    this.#total = sum(this.#weights) || 1
    this.absent = sum(this.#words.map(({ isAbsent, weight }) => isAbsent ? weight : 0)) / this.#total
  }

  /** Each text is read once. */
  read(text: string): WordOccurrences {
    const known = this.#readings.get(text)
    if (known !== undefined) return known
    const occurrences: Array<Occurrence> = []
    visitWords(text, (start, end, position) => {
      const forms = this.#formsOf(text.slice(start, end))
      if (forms.length === 0) return
      const isQualified = isPartOfName(text, start, end)
      for (const word of forms) occurrences.push({ start, position, word, isQualified })
    }, this.#beginnings)
    const found = [...occurrences]
    const add = (word: number, start: number) => {
      const { position } = found.find((one) => one.start >= start) ?? found.at(-1) ?? { position: 0 }
      occurrences.push({ start, position, word, isQualified: false })
    }
    // Two words with a hyphen are one of the question as well: `e-mail`, `email`.
    visitHyphenated(text, (start, _end, joined) => {
      for (const word of this.#formsOf(joined)) add(word, start)
    })
    this.#names.visit(text, (name, start) => add(this.#words.length + name, start))
    if (occurrences.length > found.length) occurrences.sort((one, other) => one.start - other.start)
    const reading = new WordOccurrences(occurrences, this.#weights.length)
    this.#readings.set(text, reading)
    return reading
  }

  /** Share of the question that is matched, from 0 to 1. */
  coverage(matches: Matches): number {
    return matches.reduce((sum, match, at) => sum + match * this.#weights[at]!, 0) / this.#total
  }

  /** Share of the words that are matched, from 0 to 1, each counted alike. */
  share(matches: Matches): number {
    let [matched, all] = [0, 0]
    this.#words.forEach(({ isAbsent, share, weight }, at) => {
      if (weight === 0) return
      all += share
      if (!isAbsent) matched += share * matches[at]!
    })
    return all === 0 ? 0 : matched / all
  }

  /** The weight of the words that are matched, without this many of the rarest ones. */
  weightBeyond(matches: Matches, rarest: number): number {
    const matched = this.#words.filter(({ isAbsent }, at) => matches[at]! > 0 && !isAbsent)
      .sort((one, other) => other.weight / other.share - one.weight / one.share)
    let left = rarest
    return matched.reduce((sum, { share, weight }) => {
      const without = Math.min(share, left)
      left -= without
      return sum + weight * (1 - without / share)
    }, 0)
  }

  /** The best coverage of any stretch of this many words. */
  proximity(occurrences: ReadonlyArray<Occurrence>, words: number): number {
    let best = 0
    const matches: Matches = new Float64Array(this.#weights.length)
    occurrences.forEach(({ position }, from) => {
      matches.fill(0)
      for (let at = from; at < occurrences.length && occurrences[at]!.position < position + words; at++) {
        matches[occurrences[at]!.word] = 1
      }
      best = Math.max(best, this.coverage(matches))
    })
    return best
  }

  #wordsIn(name: string): ReadonlySet<number> {
    const words = new Set<number>()
    visitWords(name, (start, end) => {
      for (const word of this.#formsOf(name.slice(start, end))) words.add(word)
    })
    return words
  }

  /** The words of the question that have the same stem in a language of the workspace, or in British spelling. */
  #formsOf(written: string): ReadonlyArray<number> {
    const known = this.#known.get(written)
    if (known !== undefined) return known
    const stems = stemsIn(this.#languages, written)
    const isForm = (word: Word) => word.stems.some((spelled) => spelled.some((stem, at) => stem === stems[at]))
    const forms = this.#words.flatMap((word, at) => isForm(word) ? [at] : [])
    this.#known.set(written, forms)
    return forms
  }
}
