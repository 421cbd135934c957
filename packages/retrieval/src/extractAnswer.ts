/** Answering a question in the sentences of the passages that were found for it. */
import { dayOf, type Days, relativeDays } from "./dates.ts"
import { type Evidence, evidenceFor } from "./evidence.ts"
import { type Occurrence, occurrences } from "./positions.ts"
import { type QuestionKind, questionKind } from "./questionKind.ts"
import { isLabelled, isProse, refersBack, saysWhatItIs } from "./sentenceKind.ts"
import { sentences, type Stretch } from "./sentences.ts"
import { type SpanContext, spansIn } from "./spans.ts"
import { daysIn } from "./weekdays.ts"
import { termOf, visitWords } from "./words.ts"

/** Passages come best first. */
export interface Passage {
  readonly title: string
  /** What was said just before, which tells what the text is about. */
  readonly context?: string
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
  /** The sentence that answers; what stands before it says whom or what it speaks of. */
  readonly core: Stretch
  /** Where in the passage's text the very words stand that were asked for: a moment, a person, a place, an amount. */
  readonly span: Stretch | null
  /** The share of the question that the sentence itself holds, from 0 to 1. */
  readonly share: number
}

/** An answer puts something else in their place. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "who whom whose what which when where why how do does did".split(" ").map(termOf)
)

/** Of what a passage must hold, its sentence, with the title and the one before, must hold this share. */
const OF_SENTENCE = 0.6

/** What the sentence before says counts so much for one that follows it. */
const CONTEXT = 0.6

/** What a sentence of the kind that was asked for is worth, where everything asked for counts one. */
const KIND = 0.45

/** What it is worth to hold all the small words of the question, too. */
const WORDING = 0.15

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

const overlaps = (left: Candidate, right: Candidate): boolean =>
  left.passage === right.passage && left.start < right.end && right.start < left.end

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
  if (asked.length === 0) return true
  const day = dayOf(timestamp, timezone)
  const named = [{ first: day, last: day }, ...daysIn(text, day)]
  return asked.every(({ first, last }) => named.some((days) => days.first <= last && days.last >= first))
}

interface Questioned {
  readonly kind: QuestionKind
  readonly evidence: Evidence
  readonly context: SpanContext
  /** The terms of its words, but for those that make it a question. */
  readonly wording: ReadonlySet<string>
}

const candidatesOf = (
  { context, evidence, kind, wording }: Questioned,
  { context: said = "", text, title }: Passage,
  passage: number
): ReadonlyArray<Candidate> => {
  const { required, share, supports, terms } = evidence
  const inTitle = termsIn(occurrences(`${title}\n${said}`, terms))
  const held = new Set([...inTitle, ...termsIn(occurrences(text, terms))])
  if (!supports([title, said, text])) return []
  const whole = share(held)
  let previous: { readonly start: number; readonly terms: ReadonlySet<string> } | undefined
  // Of a document that is called what was asked for, the first sentence says what it is.
  let opens = kind === "definition" && supports([title])
  return sentences(text).flatMap((core): ReadonlyArray<Candidate> => {
    const stretch = text.slice(core.start, core.end)
    const all = termsIn(occurrences(stretch, everything))
    const here = new Set([...all].filter((term) => terms.has(term)))
    const before = previous
    previous = { start: core.start, terms: here }
    if (!isProse(stretch)) return []
    const goesOn = before !== undefined && refersBack(stretch)
    const meant = new Set(goesOn ? [...here, ...before.terms] : here)
    const own = share(meant)
    const around = Math.max(
      share(new Set([...meant, ...inTitle])),
      CONTEXT * share(new Set([...meant, ...inTitle, ...before?.terms ?? []]))
    )
    const [span = null] = spansIn(kind, stretch, context)
    const opening = opens && !isLabelled(stretch)
    const suits = span !== null || opening || (kind === "definition" && saysWhatItIs(stretch, terms))
    if (opening) opens = false
    if (around < OF_SENTENCE * required || (here.size === 0 && !suits)) return []
    const worded = [...wording].filter((term) => all.has(term)).length / Math.max(1, wording.size)
    return [{
      passage,
      start: goesOn ? before.start : core.start,
      end: core.end,
      core,
      span: span === null ? null : { start: core.start + span.start, end: core.start + span.end },
      share: own,
      // Of sentences that hold the same, the one in the passage that was ranked higher.
      score: own + 0.3 * around + 0.25 * whole + WORDING * worded - 0.02 * passage + (suits ? KIND : 0),
      terms: all
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
  const kind = questionKind(asked.query)
  const questioned: Questioned = {
    kind,
    evidence: evidenceFor(asked.query, asked.rarities),
    context: { asked: asked.query, common: commonWords(passages) },
    wording: termsIn(occurrences(asked.query, { has: (term) => !QUESTION_WORDS.has(term) }))
  }
  const days = relativeDays(asked.query, dayOf(asked.now, asked.timezone))
  const candidates = passages
    .flatMap((passage, index) => isAbout(passage, asked.timezone, days) ? candidatesOf(questioned, passage, index) : [])
    .sort((left, right) => right.score - left.score || left.passage - right.passage || left.start - right.start)

  const chosen: Array<Candidate> = []
  for (const candidate of candidates) {
    if (chosen.length === MOST_SENTENCES || candidate.score < ALMOST_AS_GOOD * candidates[0]!.score) break
    if (chosen.every((other) => !saysTheSame(other, candidate) && !overlaps(other, candidate))) chosen.push(candidate)
  }
  return {
    kind,
    sentences: newestFirst(kind, passages, chosen)
      .map(({ core, end, passage, share, span, start }) => ({ passage, start, end, core, span, share }))
  }
}

/** Whether some passage holds enough of what the question is about. */
export const isSupported = (asked: Asked, passages: ReadonlyArray<Passage>): boolean => {
  const { supports } = evidenceFor(asked.query, asked.rarities)
  return passages.some(({ context = "", text, title }) => supports([title, context, text]))
}
