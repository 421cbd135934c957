/** The probability that excerpts answer a question, by logistic regression over a few features. */
import { type Excerpt, includes } from "../evidence/excerpts.ts"
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

/** Each is between 0 and 1. */
export const claimFeatures = (
  terms: QuestionTerms,
  units: ReadonlyArray<ScoredUnit>,
  excerpts: ReadonlyArray<Excerpt>
): ReadonlyArray<number> => {
  const [first] = excerpts
  const quoted = units.filter((unit) => excerpts.some((excerpt) => includes(excerpt, unit)))
  return [
    // Share of the question that occurs nowhere.
    terms.absent,
    // Share of the question's words that the first excerpt has, whether they are rare or common.
    first === undefined ? 0 : terms.share(terms.read(first.section.text).matches(first)),
    // How probably one of the excerpts holds the answer, if any unit does.
    quoted.reduce((sum, { likelihood }) => sum + likelihood, 0)
  ]
}

export const probability = (
  features: ReadonlyArray<number>,
  { claim }: Pick<Coefficients, "claim"> = COEFFICIENTS
): number => {
  const sum = features.reduce((total, feature, at) => total + feature * claim[at]!, claim[features.length]!)
  return 1 / (1 + Math.exp(-sum))
}
