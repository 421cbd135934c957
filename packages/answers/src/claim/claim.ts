/** Whether the best units answer a question: the probability that they do, by logistic regression over a few features. */
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

export const CLAIM_FEATURES = [
  /** Share of the question that occurs nowhere. */
  "absent",
  /** How much the best unit covers with its context, whatever the length of the question: two common words tell little. */
  "information",
  /** Of the best unit, by the coefficients of units. */
  "score"
] as const

const SCALE = 20

export const claimFeatures = (terms: QuestionTerms, [best]: ReadonlyArray<ScoredUnit>): ReadonlyArray<number> =>
  best === undefined
    ? CLAIM_FEATURES.map(() => 0)
    : [terms.absent, terms.information(best.covered), best.score / SCALE]

export const probability = (
  features: ReadonlyArray<number>,
  { claim }: Pick<Coefficients, "claim"> = COEFFICIENTS
): number => {
  const sum = features.reduce((total, feature, at) => total + feature * claim[at]!, claim[CLAIM_FEATURES.length]!)
  return 1 / (1 + Math.exp(-sum))
}
