/** The answerer that needs no language model: it quotes the units that answer, or shows what came closest. */
import {
  Answerer,
  type EvidenceSource,
  type Outcome,
  type Question,
  type Statement
} from "@tributary/core/ports/Answerer"
import { Effect, Layer, Stream } from "effect"
import { claimFeatures, probability } from "./claim/claim.ts"
import { quoteOf } from "./evidence/candidateUnits.ts"
import { QuestionTerms } from "./evidence/QuestionTerms.ts"
import { type ScoredUnit, scoredUnits } from "./evidence/scoredUnits.ts"

export interface Options {
  /** From which probability on a question counts as answered. */
  readonly threshold?: number
}

/** So many passages are looked at. */
const PASSAGES = 50

/** So many units are quoted, of those that score nearly as well as the best. */
const MOST_QUOTED = 5
const NEARLY = 2.5

const MOST_RELATED = 5

const isProse = ({ unit }: ScoredUnit): boolean => unit.form === "paragraph" || unit.form === "item"

const statementOf = (scored: ScoredUnit): Statement => {
  const { section, unit } = scored
  const stretches = unit.lead === null ? [unit] : [unit.lead, unit]
  const texts = stretches.map(({ end, start }) => section.text.slice(start, end))
  return {
    _tag: "Statement",
    text: isProse(scored) ? texts.join(" ").replaceAll(/\s+/g, " ") : texts.join("\n"),
    quotes: stretches.map((stretch) => quoteOf(section, stretch))
  }
}

const relatedTo = (units: ReadonlyArray<ScoredUnit>): Outcome["related"] =>
  units.filter(({ named }) => named.coverage > 0).slice(0, MOST_RELATED)
    .map(({ section, unit }) => quoteOf(section, unit))

const answerFrom = (threshold: number) =>
  Effect.fnUntraced(function*({ query }: Question, source: EvidenceSource) {
    const evidence = yield* source.search(query, PASSAGES)
    const terms = new QuestionTerms(query, evidence)
    const units = yield* scoredUnits(evidence, source, terms)
    const isAnswered = units.length > 0 && probability(claimFeatures(terms, units)) >= threshold
    const near = units.filter(({ score }) => score >= units[0]!.score - NEARLY)
    const statements = isAnswered ? near.slice(0, MOST_QUOTED).map(statementOf) : []
    const outcome: Outcome = {
      _tag: "Outcome",
      model: "extractive",
      related: isAnswered ? [] : relatedTo(units),
      warnings: [],
      truncated: near.length > MOST_QUOTED
    }
    return [...statements, outcome]
  })

export const make = ({ threshold = 0.5 }: Options = {}): Answerer["Service"] => {
  const answer = answerFrom(threshold)
  return { answer: (question, evidence) => Stream.fromIterableEffect(answer(question, evidence)) }
}

export const layerWith = (options: Options): Layer.Layer<Answerer> => Layer.succeed(Answerer, make(options))

export const layer: Layer.Layer<Answerer> = layerWith({})
