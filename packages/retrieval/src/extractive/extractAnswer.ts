/** Answering a question in the sentences of the passages that were found for it. */
import { askedDays } from "./askedDays.ts"
import { asksForCount, type Count, countDocuments, type Counted } from "./countDocuments.ts"
import { countListed } from "./countListed.ts"
import { evidenceFor } from "./evidence.ts"
import { type Candidate, candidatesOf } from "./candidates.ts"
import { questionedOf } from "./questioned.ts"
import type { QuestionKind } from "./questionKind.ts"
import type { Span } from "../text/Span.ts"
import type { Cell, Statement } from "./statements.ts"
import type { Verdict } from "./verdict.ts"

/** Passages come best first. */
export interface Passage {
  readonly title: string
  /** The path and the name of its file. */
  readonly file?: string
  /** What was said just before, which tells what the text is about. */
  readonly context?: string
  /** What stands before it in its document. */
  readonly above?: string
  /** What its document is called by its kind. */
  readonly kind?: string
  /** The words of its day; none where that tells nothing. */
  readonly day?: string
  /** Of which document it is; passages of one are counted once. */
  readonly document?: string
  /** Where it begins in its document. */
  readonly at?: number
  /** Nobody looked for it: it is of a document that was found, and is read where something is counted. */
  readonly isRest?: boolean
  readonly text: string
  /** When it was written, or what it is about takes place. */
  readonly timestamp: Date
}

export interface Asked {
  readonly query: string
  /** How much each term of the question tells; what is absent stands nowhere. */
  readonly idf: ReadonlyMap<string, number>
  readonly now: Date
  /** IANA name. */
  readonly timezone: string
}

export interface Extract {
  readonly kind: QuestionKind
  /** Null when no documents were counted. */
  readonly count: Count | null
  readonly sentences: ReadonlyArray<ExtractedSentence>
}

export interface ExtractedSentence extends Span {
  readonly form: Statement["form"]
  /** Of a row of a table. */
  readonly cells: ReadonlyArray<Cell>
  /** Index of the passage. */
  readonly passage: number
  /** The sentence that answers; what stands before it says whom or what it speaks of. */
  readonly core: Span
  /** Where in the passage's text the very words stand that were asked for: a moment, a person, a place, an amount. */
  readonly span: Span | null
  /** Of the first sentence, to a question for yes or no. */
  readonly verdict: Verdict | null
}

/** Another sentence is added when it is at least this good, compared with the best. */
const ALMOST_AS_GOOD = 0.75

/** Sentences that share more than this of their terms say the same. */
const SAME = 0.7

const MOST_SENTENCES = 3

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

/** Questions with one answer at a time: of two that are given, the later one holds. */
const CHANGES: ReadonlySet<QuestionKind> = new Set(["when", "who", "where", "amount", "price", "times", "yes_no"])

/** Sentences whose shares of the question differ by less speak of the same thing. */
const AS_MUCH = 0.1

/** What holds less of it than the best by more than this speaks of something else. */
const MUCH_LESS = 0.2

const isAlmostAsGood = (best: Candidate, { around, score }: Candidate): boolean =>
  score >= ALMOST_AS_GOOD * best.score && around >= best.around - MUCH_LESS

/** Two answers, and both documents are called what was asked for. */
const speaksOfTheSame = (best: Candidate, { isTitled, span }: Candidate): boolean =>
  best.isTitled && isTitled && best.span !== null && span !== null

/** Whether another document says of the same what was asked for, and none that was chosen is of that. */
const mayContradict = (
  kind: QuestionKind,
  passages: ReadonlyArray<Passage>,
  chosen: ReadonlyArray<Candidate>,
  candidate: Candidate
): boolean => {
  const [best] = chosen
  const documentOf = (index: number) => passages[index]!.document ?? index
  return CHANGES.has(kind) && best !== undefined && candidate.share > 0 && speaksOfTheSame(best, candidate) &&
    chosen.every((other) => documentOf(other.passage) !== documentOf(candidate.passage))
}

/** What speaks of the same as the best sentence comes before it when it is newer. */
const newestFirst = (
  kind: QuestionKind,
  passages: ReadonlyArray<Passage>,
  chosen: ReadonlyArray<Candidate>
): ReadonlyArray<Candidate> => {
  if (!CHANGES.has(kind)) return chosen
  const [best] = chosen
  const rivals = (candidate: Candidate) =>
    speaksOfTheSame(best!, candidate) ||
    ((candidate.span === null) === (best!.span === null) && candidate.share >= best!.share - AS_MUCH)
  const timeOf = ({ passage }: Candidate) => passages[passage]!.timestamp.getTime()
  return [
    ...chosen.filter(rivals).sort((left, right) => timeOf(right) - timeOf(left)),
    ...chosen.filter((candidate) => !rivals(candidate))
  ]
}

/** What one document lists, or the documents themselves: of which there are more. */
const count = (
  asked: Asked,
  kind: QuestionKind,
  passages: ReadonlyArray<Passage>,
  isAbout: (passage: Passage) => boolean
): Counted | null => {
  if (!asksForCount(asked.query)) return null
  const listed = countListed(asked, kind, passages)
  const documents = countDocuments(asked, kind, passages, isAbout)
  return (documents?.count.total ?? 0) > (listed?.count.total ?? 0) ? documents : listed
}

/**
 * The sentences that answer, best first; none when the passages do not hold what the question is about: a question
 * whose telling words are absent is not answered from its common ones.
 */
export const extractAnswer = (asked: Asked, passages: ReadonlyArray<Passage>): Extract => {
  const questioned = questionedOf(asked, passages)
  const { kind } = questioned
  const days = askedDays(asked.query, asked.now, asked.timezone)
  const candidates = passages
    .flatMap((passage, index) => passage.isRest === true ? [] : candidatesOf(questioned, passage, index, days))
    .sort((left, right) => right.score - left.score || left.passage - right.passage || left.start - right.start)

  const total = candidates.length > 0 ? null : count(asked, kind, passages, days.isOfPassage)
  if (total !== null) return { kind, ...total }

  const chosen: Array<Candidate> = []
  for (const candidate of candidates) {
    if (chosen.length === MOST_SENTENCES) break
    if (!isAlmostAsGood(candidates[0]!, candidate) && !mayContradict(kind, passages, chosen, candidate)) continue
    if (chosen.every((other) => !saysTheSame(other, candidate) && !overlaps(other, candidate))) chosen.push(candidate)
  }
  return {
    kind,
    count: null,
    sentences: newestFirst(kind, passages, chosen)
  }
}

/** Whether some passage holds enough of what the question is about. */
export const isSupported = (asked: Asked, passages: ReadonlyArray<Passage>): boolean => {
  const { supports } = evidenceFor(asked.query, asked.idf)
  return passages.some(({ context = "", day = "", file = "", text, title }) =>
    supports([title, file, context, day, text])
  )
}
