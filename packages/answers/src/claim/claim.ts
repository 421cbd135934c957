/** The probability that the best units answer a question, by logistic regression over a few features. */
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

export const CLAIM_FEATURES = [
  /** Share of the question that occurs nowhere. */
  "absent",
  /**
   * How much the best unit covers with its context, whatever the length of the question: two common words are weak
   * evidence.
   */
  "information",
  /** How nearly a few words in a row of the best unit cover the whole question. */
  "whole"
] as const

export const claimFeatures = (terms: QuestionTerms, [best]: ReadonlyArray<ScoredUnit>): ReadonlyArray<number> => {
  if (best === undefined) return CLAIM_FEATURES.map(() => 0)
  const [, , proximity = 0] = best.values
  return [terms.absent, terms.information(best.covered), proximity ** 4]
}

export const probability = (
  features: ReadonlyArray<number>,
  { claim }: Pick<Coefficients, "claim"> = COEFFICIENTS
): number => {
  const sum = features.reduce((total, feature, at) => total + feature * claim[at]!, claim[CLAIM_FEATURES.length]!)
  return 1 / (1 + Math.exp(-sum))
}
