/** Whether the best units answer a question: the probability that they do, by logistic regression over a few features. */
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

export const CLAIM_FEATURES = [
  /** Share of the question covered by the best unit with its context. */
  "covered",
  /** By the unit alone. */
  "coverage",
  "proximity",
  /** Share of the question that occurs nowhere. */
  "absent",
  /** Share of the question that its rarest uncovered word makes up. */
  "gap",
  /** How many words the question has. */
  "words",
  /** How far the best unit is ahead of the best one of another document. */
  "margin",
  /** Score of the best passage, compared with the highest that the question's words could reach. */
  "passage",
  /** Share of the question covered by words that are near each other, in the best of all units. */
  "closest",
  /** Of the best unit, by its own coefficients. */
  "score"
] as const

const MANY = 8
const FAR_AHEAD = 3
const HIGHEST = 6
const SEVERAL = 5
const SCALE = 20

export const claimFeatures = (terms: QuestionTerms, units: ReadonlyArray<ScoredUnit>): ReadonlyArray<number> => {
  const [best] = units
  if (best === undefined) return CLAIM_FEATURES.map(() => 0)
  const other = units.find(({ section }) => section.document.document_id !== best.section.document.document_id)
  const { context, coverage, proximity } = best.named
  return [
    coverage + context,
    coverage,
    proximity,
    terms.absent,
    terms.gap(best.covered),
    Math.min(1, terms.count / MANY),
    Math.min(1, (best.score - (other?.score ?? -Infinity)) / FAR_AHEAD),
    Math.min(1, best.passage.score / (HIGHEST * terms.total)),
    Math.max(...units.slice(0, SEVERAL).map(({ named }) => named.proximity)),
    best.score / SCALE
  ]
}

export const probability = (
  features: ReadonlyArray<number>,
  { claim }: Pick<Coefficients, "claim"> = COEFFICIENTS
): number => {
  const sum = features.reduce((total, feature, at) => total + feature * claim[at]!, claim[CLAIM_FEATURES.length]!)
  return 1 / (1 + Math.exp(-sum))
}
