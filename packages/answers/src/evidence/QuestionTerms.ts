/** The words of a question, weighted by how rare they are, and how much of them a text covers. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import {
  hyphenatedTerm,
  NameFinder,
  type Query,
  StemFilter,
  stemOf,
  stemsIn,
  visitHyphenated,
  visitWords
} from "@tributary/retrieval"
import { firstFrom, type Occurrence } from "./Occurrence.ts"

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

const sumOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

/** Among the words of the question. */
const placesOf = (occurrences: ReadonlyArray<Occurrence>): ReadonlySet<number> =>
  new Set(occurrences.map(({ word }) => word))

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
  readonly #readings = new Map<string, ReadonlyArray<Occurrence>>()
  /** Stemming all words would take too long. */
  readonly #stemFilter: StemFilter
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
    this.#stemFilter = new StemFilter(words.flatMap(({ stems }) => stems.flat()), query.languages)
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
      const weight = sumOf([...wordsOfNames[name]!].map((word) => words[word]!.weight))
      return frequency === 0 ? 0 : weight * idf(frequency) / idf(0)
    })
    const keys = query.names.filter(({ certainty }) => certainty === "form").map(({ cased }) => cased)
    const missing = new Set(
      query.names.flatMap((name, at) => frequencies[at] === 0 && isStrict(name, keys) ? [...wordsOfNames[at]!] : [])
    )
    this.#words = words.map((word, at) => missing.has(at) ? { ...word, isAbsent: true } : word)
    this.#weights = [...words.map(({ weight }) => weight), ...nameWeights]
    this.#total = sumOf(this.#weights) || 1
    this.absent = sumOf(this.#words.map(({ isAbsent, weight }) => isAbsent ? weight : 0)) / this.#total
  }

  /** The words of the question in a text, in its order. Each text is read once. */
  read(text: string): ReadonlyArray<Occurrence> {
    const known = this.#readings.get(text)
    if (known !== undefined) return known
    const occurrences: Array<Occurrence> = []
    visitWords(text, (start, end, position) => {
      const forms = this.#formsOf(text.slice(start, end))
      if (forms.length === 0) return
      const isQualified = isPartOfName(text, start, end)
      for (const word of forms) occurrences.push({ start, position, word, isQualified })
    }, this.#stemFilter)
    const found = [...occurrences]
    const add = (word: number, start: number) => {
      const { position } = found[firstFrom(found, start)] ?? found.at(-1) ?? { position: 0 }
      occurrences.push({ start, position, word, isQualified: false })
    }
    // Two words with a hyphen are one of the question as well: `e-mail`, `email`.
    visitHyphenated(text, (start, _end, joined) => {
      for (const word of this.#formsOf(joined)) add(word, start)
    })
    this.#names.visit(text, (name, start) => add(this.#words.length + name, start))
    if (occurrences.length > found.length) occurrences.sort((one, other) => one.start - other.start)
    this.#readings.set(text, occurrences)
    return occurrences
  }

  /** Share of the question that occurs, from 0 to 1. */
  coverage(occurrences: ReadonlyArray<Occurrence>): number {
    const matched = placesOf(occurrences)
    return sumOf(this.#weights.filter((_, at) => matched.has(at))) / this.#total
  }

  /** Share of the words that occur, from 0 to 1, each counted alike. */
  share(occurrences: ReadonlyArray<Occurrence>): number {
    const sharesOf = (words: ReadonlyArray<Word>) => sumOf(words.map(({ share, weight }) => weight === 0 ? 0 : share))
    return sharesOf(this.#wordsOf(occurrences)) / (sharesOf(this.#words) || 1)
  }

  /** The weight of the words that occur, without this many of the rarest ones. */
  weightBeyond(occurrences: ReadonlyArray<Occurrence>, rarest: number): number {
    const matched = this.#wordsOf(occurrences)
      .toSorted((one, other) => other.weight / other.share - one.weight / one.share)
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
    occurrences.forEach(({ position }, from) => {
      let end = from + 1
      while (end < occurrences.length && occurrences[end]!.position < position + words) end++
      best = Math.max(best, this.coverage(occurrences.slice(from, end)))
    })
    return best
  }

  /** The words that occur both in the context and here. */
  #wordsOf(occurrences: ReadonlyArray<Occurrence>): ReadonlyArray<Word> {
    const matched = placesOf(occurrences)
    return this.#words.filter(({ isAbsent }, at) => matched.has(at) && !isAbsent)
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
