/** The answerer that needs no language model: it quotes the units that answer, or shows what came closest. */
import { checkNumbers, numberFrom } from "@tributary/core/model/NumberRule"
import {
  Answerer,
  type EvidenceSource,
  type Outcome,
  type Question,
  type Statement
} from "@tributary/core/ports/Answerer"
import { Effect, Layer, Stream } from "effect"
import { claimFeatures, probability } from "./claim/claim.ts"
import { COEFFICIENTS } from "./claim/coefficients.ts"
import { type Excerpt, excerptsOf, FILLED_GAP, type Limits, quoteOf } from "./evidence/excerpts.ts"
import { fenced } from "./evidence/fenced.ts"
import { examine, type ScoredUnit } from "./evidence/scoredUnits.ts"

export interface Options {
  /** The probability from which a question counts as answered. */
  readonly threshold?: number
}

/** The number of passages that are read. */
export const PASSAGES = 30

/** The excerpts of an answer. */
const QUOTED: Limits = {
  most: 5,
  longest: () => 900,
  gap: FILLED_GAP,
  total: 5_000,
  beginning: 0.25,
  enough: 0.99
}

/** The excerpts that are shown if no answer is claimed. */
const RELATED: Limits = { ...QUOTED, longest: () => 2_000, total: 10_000, beginning: 0, enough: 1 }

const statementOf = ({ lead, section, ...span }: Excerpt): Statement => {
  const spans = lead === null ? [span] : [lead, span]
  return {
    _tag: "Statement",
    text: spans.map((one) => fenced(section.text, one)).join("\n"),
    quotes: spans.map((one) => quoteOf(section, one))
  }
}

export const quotedExcerpts = (units: ReadonlyArray<ScoredUnit>): ReadonlyArray<Excerpt> => excerptsOf(units, QUOTED)

/** What shares no word with the question was found by its meaning, or by parts of its words. */
export const relatedExcerpts = (units: ReadonlyArray<ScoredUnit>): ReadonlyArray<Excerpt> => {
  const sharing = new Set(units.flatMap(({ covered, section }) => covered > 0 ? [section] : []))
  const isClose = ({ covered, section, share }: ScoredUnit) => sharing.has(section) ? covered > 0 : share > 0
  return excerptsOf(units.filter(isClose), RELATED)
}

/** Warnings about options that need a language model. */
const ignored = ({ history, language }: Question): ReadonlyArray<string> => [
  ...(history.length === 0 ? [] : ["history: it was not read, since no language model answers"]),
  ...(language === null ? [] : ["language: the documents are quoted in theirs, since no language model answers"])
]

export const make = ({ threshold = COEFFICIENTS.threshold }: Options = {}): Answerer["Service"] => {
  checkNumbers({ threshold: numberFrom(0, 1) }, { threshold })
  const answer = Effect.fnUntraced(function*(question: Question, source: EvidenceSource) {
    const { evidence, terms, units } = yield* examine(question.query, source, PASSAGES)
    const excerpts = quotedExcerpts(units)
    const isAnswered = units.length > 0 && probability(claimFeatures(terms, units, excerpts)) >= threshold
    const outcome: Outcome = {
      _tag: "Outcome",
      model: "extractive",
      related: isAnswered ? [] : relatedExcerpts(units).map(({ section, ...span }) => quoteOf(section, span)),
      warnings: ignored(question),
      truncated: evidence.truncated
    }
    return [...(isAnswered ? excerpts.map(statementOf) : []), outcome]
  })
  return { answer: (question, source) => Stream.fromIterableEffect(answer(question, source)) }
}

export const layerWith = (options: Options): Layer.Layer<Answerer> => Layer.succeed(Answerer, make(options))

export const layer: Layer.Layer<Answerer> = layerWith({})
