/** The probability that excerpts answer a question, by logistic regression over a few features. */
import { type Excerpt, includes } from "../evidence/excerpts.ts"
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

/** The words that name what a question is about, which say little about it if nothing else is matched. */
const NAME = 2

/** What counts as much as one more rare word: that none is missing. */
const COMPLETE = 5

/** The weight from which more words make no difference. */
const ENOUGH = 12

/** Each is between 0 and 1. */
export const claimFeatures = (
  terms: QuestionTerms,
  units: ReadonlyArray<ScoredUnit>,
  excerpts: ReadonlyArray<Excerpt>
): ReadonlyArray<number> => {
  const section = excerpts[0]?.section
  const around = [section?.text ?? "", section?.document.title ?? ""].flatMap((text) => terms.read(text))
  const share = terms.share(around)
  const quoted = units.filter((unit) => excerpts.some((excerpt) => includes(excerpt, unit)))
  return [
    // Share of the question that occurs nowhere.
    terms.absent,
    // Share of the question's words in the text around the first excerpt, rare or common, by their weight beyond a name.
    share * Math.min(1, (terms.weightBeyond(around, NAME) + (share === 1 ? COMPLETE : 0)) / ENOUGH),
    // How probably one of the excerpts holds the answer, if any unit does.
    quoted.reduce((sum, { likelihood }) => sum + likelihood, 0),
    // The more text there is, the more of it has the same words without an answer.
    Math.min(1, terms.unseen / ENOUGH)
  ]
}

export const probability = (
  features: ReadonlyArray<number>,
  { claim }: Pick<Coefficients, "claim"> = COEFFICIENTS
): number => {
  const sum = features.reduce((total, feature, at) => total + feature * claim[at]!, claim[features.length]!)
  return 1 / (1 + Math.exp(-sum))
}
