/** How much of a question a text covers: of its words and its names, by their weights. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import { NameFinder, type Query, StemFilter, stemsIn, visitHyphenated, visitWords } from "@tributary/retrieval"
import { firstFrom, type Occurrence } from "./Occurrence.ts"
import { questionWords, weightOf, type Word } from "./questionWords.ts"

const sumOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

/** Among the words of the question. */
const placesOf = (occurrences: ReadonlyArray<Occurrence>): ReadonlySet<number> =>
  new Set(occurrences.map(({ word }) => word))

/** A script without capitals does not show which words are a name. */
const hasCapitals = (name: string): boolean => !/\p{Lo}/u.test(name)

/**
 * Whether a name is another one if it differs at all: a key, a version. People are also called by parts of their name.
 * A key within a longer name is a name by itself: with `Tool 1.2`, a text may have `1.2` elsewhere.
 */
const isStrict = ({ cased, certainty }: Query["names"][number], keys: ReadonlyArray<string>): boolean =>
  hasCapitals(cased) && certainty !== "occurrence" &&
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
  /** The words of the names that a passage contains, beside others. A key is said of one thing alone, so it is no name here. */
  readonly #named: ReadonlySet<Word>
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
    const words = questionWords(query, evidence)
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
    const named = new Set(
      query.names.flatMap((name, at) =>
        frequencies[at]! > 0 && hasCapitals(name.cased) && !isStrict(name, keys)
          ? [...wordsOfNames[at]!].map((word) => this.#words[word]!)
          : []
      )
    )
    // A question that is nothing but a name asks about that.
    this.#named = named.size < words.length ? named : new Set()
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

  /** The weight of the words that occur and are no part of a name. */
  weightBesideNames(occurrences: ReadonlyArray<Occurrence>): number {
    const words = this.#wordsOf(occurrences)
    return sumOf(words.map((word) => this.#named.has(word) ? 0 : word.weight))
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
