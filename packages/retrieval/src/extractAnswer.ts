/** Answering a question in the sentences of the passages that were found for it. */
import { type Occurrence, occurrences } from "./positions.ts"
import { parseQuery } from "./Query.ts"
import { sentences, type Stretch } from "./sentences.ts"
import { termOf, visitWords } from "./words.ts"

/** Passages come best first. */
export interface Passage {
  readonly title: string
  readonly text: string
}

export interface ExtractedSentence extends Stretch {
  /** Index of the passage. */
  readonly passage: number
}

/** Of what the question asks about, a passage must hold this share, rare words counting more. */
const PASSAGE_COVERAGE = 0.6

/** And the sentence itself this share. */
const SENTENCE_COVERAGE = 0.35

/** Another sentence is added when it is at least this good, compared with the best. */
const ALMOST_AS_GOOD = 0.75

/** Sentences that share more than this of their terms say the same. */
const SAME = 0.7

const MOST_SENTENCES = 3

/** What a question names, by a capital or a number, matters so many times as much as another word that is as rare. */
const NAME_WEIGHT = 2

const namesIn = (question: string): ReadonlySet<string> => {
  const names = new Set<string>()
  let words = 0
  visitWords(question, (start, end) => {
    const word = question.slice(start, end)
    // The first word of a sentence has a capital anyway.
    if (words++ > 0 && /^\p{Lu}|\p{N}/u.test(word)) names.add(termOf(word))
  })
  return names
}

const ASKS_WHAT_IT_IS = /^\s*(?:what|who)(?:['\u2019]s|\s+(?:is|are|was|were))\s/iu
const ARTICLE = /^(?:an?|the)\s+/iu
const IS = /^\W*(?:is|are|was|were)\s/iu

/** `X is ...`, for a question that asks what X is. */
const saysWhatItIs = (sentence: string, { has }: { readonly has: (term: string) => boolean }): boolean => {
  const subject = sentence.replace(ARTICLE, "")
  let end = 0
  let runs = true
  visitWords(subject, (start, stop) => {
    runs &&= has(termOf(subject.slice(start, stop)))
    if (runs) end = stop
  })
  return end > 0 && IS.test(subject.slice(end))
}

/** How much that counts, where everything asked for counts one. */
const DEFINITION = 0.5

interface Candidate extends ExtractedSentence {
  readonly score: number
  readonly terms: ReadonlySet<string>
}

const termsIn = (found: ReadonlyArray<Occurrence>): ReadonlySet<string> => new Set(found.map(({ term }) => term))

const similarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const shared = [...left].filter((term) => right.has(term)).length
  return shared / Math.max(1, left.size + right.size - shared)
}

const everything = { has: () => true }

/**
 * The sentences that answer, best first; none when the passages do not hold what the question is about: a question
 * whose telling words are absent is not answered from its common ones.
 */
export const extractAnswer = (question: string, passages: ReadonlyArray<Passage>): ReadonlyArray<ExtractedSentence> => {
  const { weights } = parseQuery(question)
  const terms = [...weights.keys()]
  const names = namesIn(question)
  const definition = ASKS_WHAT_IT_IS.test(question)
  const titles = passages.map(({ title }) => termsIn(occurrences(title, weights)))
  const held = passages.map(({ text }, index) => new Set([...termsIn(occurrences(text, weights)), ...titles[index]!]))
  const weightOf = new Map(terms.map((term) => {
    const holders = held.filter((passage) => passage.has(term)).length
    return [term, (names.has(term) ? NAME_WEIGHT : 1) * Math.log(1 + (passages.length + 1) / (holders + 0.5))]
  }))
  const weigh = (found: Iterable<string>) => [...found].reduce((sum, term) => sum + weightOf.get(term)!, 0)
  const whole = weigh(terms)
  if (whole === 0) return []

  const candidates = passages.flatMap(({ text }, passage): ReadonlyArray<Candidate> => {
    const coverage = weigh(held[passage]!) / whole
    if (coverage < PASSAGE_COVERAGE) return []
    return sentences(text).flatMap(({ end, start }) => {
      const stretch = text.slice(start, end)
      const here = termsIn(occurrences(stretch, weights))
      const own = weigh(here) / whole
      if (here.size === 0 || weigh(new Set([...here, ...titles[passage]!])) / whole < SENTENCE_COVERAGE) return []
      // Of sentences that cover the same, the one in the passage that was ranked higher.
      const defines = definition && saysWhatItIs(stretch, { has: (term) => weights.has(term) })
      const score = own + 0.25 * coverage - 0.02 * passage + (defines ? DEFINITION : 0)
      return [{ passage, start, end, score, terms: termsIn(occurrences(stretch, everything)) }]
    })
  }).sort((left, right) => right.score - left.score || left.passage - right.passage || left.start - right.start)

  const chosen: Array<Candidate> = []
  for (const candidate of candidates) {
    if (chosen.length === MOST_SENTENCES || candidate.score < ALMOST_AS_GOOD * candidates[0]!.score) break
    if (chosen.every((other) => similarity(other.terms, candidate.terms) < SAME)) chosen.push(candidate)
  }
  return chosen.map(({ end, passage, start }) => ({ passage, start, end }))
}
