/** Answering a question in the sentences of the passages that were found for it. */
import { dayOf, type Days, relativeDays } from "./dates.ts"
import { type Evidence, evidenceFor } from "./evidence.ts"
import { type Occurrence, occurrences } from "./positions.ts"
import { type QuestionKind, questionKind } from "./questionKind.ts"
import { isProse, saysWhatItIs } from "./sentenceKind.ts"
import { sentences, type Stretch } from "./sentences.ts"
import { type SpanContext, spansIn } from "./spans.ts"
import { visitWords } from "./words.ts"

/** Passages come best first. */
export interface Passage {
  readonly title: string
  readonly text: string
  /** When it was written, or what it is about takes place. */
  readonly timestamp: Date
}

export interface Asked {
  readonly query: string
  /** How much each term of the question tells; what is absent stands nowhere. */
  readonly rarities: ReadonlyMap<string, number>
  readonly now: Date
  /** IANA name. */
  readonly timezone: string
}

export interface Extract {
  readonly kind: QuestionKind
  readonly sentences: ReadonlyArray<ExtractedSentence>
}

export interface ExtractedSentence extends Stretch {
  /** Index of the passage. */
  readonly passage: number
  /** Where in the passage's text the very words stand that were asked for: a moment, a person, a place, an amount. */
  readonly span: Stretch | null
  /** The share of the question that the sentence itself holds, from 0 to 1. */
  readonly share: number
}

/** Of what a passage must hold, its sentence, with the title and the one before, must hold this share. */
const OF_SENTENCE = 0.6

/** What the sentence before says counts so much for one that goes on from it. */
const CONTEXT = 0.5

/** What a sentence of the kind that was asked for is worth, where everything asked for counts one. */
const KIND = 0.35

/** Another sentence is added when it is at least this good, compared with the best. */
const ALMOST_AS_GOOD = 0.75

/** Sentences that share more than this of their terms say the same. */
const SAME = 0.7

const MOST_SENTENCES = 3

interface Candidate extends ExtractedSentence {
  readonly score: number
  readonly terms: ReadonlySet<string>
}

const termsIn = (found: ReadonlyArray<Occurrence>): ReadonlySet<string> => new Set(found.map(({ term }) => term))

const similarity = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const shared = [...left].filter((term) => right.has(term)).length
  return shared / Math.max(1, left.size + right.size - shared)
}

const numbersIn = (terms: ReadonlySet<string>): string =>
  [...terms].filter((term) => /\p{N}/u.test(term)).sort().join(" ")

/** Two sentences alike but for a number do not say the same. */
const saysTheSame = (left: Candidate, right: Candidate): boolean =>
  similarity(left.terms, right.terms) >= SAME && numbersIn(left.terms) === numbersIn(right.terms)

const everything = { has: () => true }

const commonWords = (passages: ReadonlyArray<Passage>): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const { text } of passages) {
    visitWords(text, (start, end) => {
      const word = text.slice(start, end)
      if (word === word.toLowerCase()) words.add(word)
    })
  }
  return words
}

/** Whether a passage is about one of the days, by its own moment or by the days that it names. */
const isAbout = ({ text, timestamp }: Passage, timezone: string, asked: ReadonlyArray<Days>): boolean => {
  const day = dayOf(timestamp, timezone)
  const named = [{ first: day, last: day }, ...relativeDays(text, day)]
  return asked.every(({ first, last }) => named.some((days) => days.first <= last && days.last >= first))
}

const candidatesOf = (
  kind: QuestionKind,
  evidence: Evidence,
  context: SpanContext,
  { text, title }: Passage,
  passage: number
): ReadonlyArray<Candidate> => {
  const { required, share, supports, terms } = evidence
  const inTitle = termsIn(occurrences(title, terms))
  const held = new Set([...inTitle, ...termsIn(occurrences(text, terms))])
  if (!supports(held)) return []
  const whole = share(held)
  let before: ReadonlySet<string> = new Set()
  return sentences(text).flatMap(({ end, start }): ReadonlyArray<Candidate> => {
    const stretch = text.slice(start, end)
    const here = termsIn(occurrences(stretch, terms))
    const own = share(here)
    const around = share(new Set([...here, ...inTitle]))
    const inContext = Math.max(around, CONTEXT * share(new Set([...here, ...inTitle, ...before])))
    before = here
    if (inContext < OF_SENTENCE * required || !isProse(stretch)) return []
    const span = spansIn(kind, stretch, context)[0] ?? null
    const suits = span !== null || (kind === "definition" && saysWhatItIs(stretch, terms))
    if (here.size === 0 && !suits) return []
    // Of sentences that hold the same, the one in the passage that was ranked higher.
    const score = own + 0.3 * inContext + 0.25 * whole - 0.02 * passage + (suits ? KIND : 0)
    return [{
      passage,
      start,
      end,
      span: span === null ? null : { start: start + span.start, end: start + span.end },
      share: own,
      score,
      terms: termsIn(occurrences(stretch, everything))
    }]
  })
}

/** Questions with one answer at a time: of two that are given, the later one holds. */
const CHANGES: ReadonlySet<QuestionKind> = new Set(["when", "who", "where", "amount", "yes_no"])

/** Sentences whose shares of the question differ by less speak of the same thing. */
const AS_MUCH = 0.1

/** What speaks of the same as the best sentence comes before it when it is newer. */
const newestFirst = (
  kind: QuestionKind,
  passages: ReadonlyArray<Passage>,
  chosen: ReadonlyArray<Candidate>
): ReadonlyArray<Candidate> => {
  if (!CHANGES.has(kind)) return chosen
  const [best] = chosen
  const rivals = (candidate: Candidate) =>
    (candidate.span === null) === (best!.span === null) && candidate.share >= best!.share - AS_MUCH
  const timeOf = ({ passage }: Candidate) => passages[passage]!.timestamp.getTime()
  return [
    ...chosen.filter(rivals).sort((left, right) => timeOf(right) - timeOf(left)),
    ...chosen.filter((candidate) => !rivals(candidate))
  ]
}

/**
 * The sentences that answer, best first; none when the passages do not hold what the question is about: a question
 * whose telling words are absent is not answered from its common ones.
 */
export const extractAnswer = (asked: Asked, passages: ReadonlyArray<Passage>): Extract => {
  const evidence = evidenceFor(asked.query, asked.rarities)
  const kind = questionKind(asked.query)
  const context = { asked: asked.query, common: commonWords(passages) }
  const days = relativeDays(asked.query, dayOf(asked.now, asked.timezone))
  const candidates = passages
    .flatMap((passage, index) =>
      isAbout(passage, asked.timezone, days) ? candidatesOf(kind, evidence, context, passage, index) : []
    )
    .sort((left, right) => right.score - left.score || left.passage - right.passage || left.start - right.start)

  const chosen: Array<Candidate> = []
  for (const candidate of candidates) {
    if (chosen.length === MOST_SENTENCES || candidate.score < ALMOST_AS_GOOD * candidates[0]!.score) break
    if (chosen.every((other) => !saysTheSame(other, candidate))) chosen.push(candidate)
  }
  return {
    kind,
    sentences: newestFirst(kind, passages, chosen)
      .map(({ end, passage, share, span, start }) => ({ passage, start, end, span, share }))
  }
}

/** Whether some passage holds enough of what the question is about. */
export const isSupported = (asked: Asked, passages: ReadonlyArray<Passage>): boolean => {
  const { supports, terms } = evidenceFor(asked.query, asked.rarities)
  return passages.some(({ text, title }) => supports(termsIn(occurrences(`${title}\n${text}`, terms))))
}
