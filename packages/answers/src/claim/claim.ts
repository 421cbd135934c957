/** The probability that excerpts answer a question, by logistic regression over a few features. */
import { type Excerpt, includes } from "../evidence/excerpts.ts"
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

/** The weight from which more words make no difference. */
const MAX_WEIGHT = 12

/** What counts as much as rare words: that the best unit has all words of the question. */
const COMPLETE = 6

/** The number of units after the best one that are about the subject of a question, if the documents are. */
const NEXT_UNITS = 2

/** Each is between 0 and 1. */
export const claimFeatures = (
  terms: QuestionTerms,
  units: ReadonlyArray<ScoredUnit>,
  excerpts: ReadonlyArray<Excerpt>
): ReadonlyArray<number> => {
  const section = excerpts[0]?.section
  const around = [section?.text ?? "", section?.document.title ?? ""].flatMap((text) => terms.read(text))
  const [best] = units
  const matched = best === undefined ? 0 : best.weight + (best.covered === 1 ? COMPLETE : 0)
  const quoted = units.filter((unit) => excerpts.some((excerpt) => includes(excerpt, unit)))
  const next = units.length > 1 ? units.slice(1, 1 + NEXT_UNITS) : units
  return [
    // Share of the question that occurs nowhere.
    terms.absent,
    // Share of its words around the first excerpt, by the weight that the best unit matches beside names.
    terms.share(around) * Math.min(1, matched / MAX_WEIGHT),
    // How probably one of the excerpts holds the answer, if any unit does.
    quoted.reduce((sum, { likelihood }) => sum + likelihood, 0),
    // The more text there is, the more of it has the same words without an answer.
    Math.min(1, terms.unseen / MAX_WEIGHT),
    // How much of the question the next units cover, each by itself: documents come back to their subjects.
    next.reduce((sum, { covered }) => sum + covered, 0) / Math.max(1, next.length)
  ]
}

export const probability = (
  features: ReadonlyArray<number>,
  { claim }: Pick<Coefficients, "claim"> = COEFFICIENTS
): number => {
  const sum = features.reduce((total, feature, at) => total + feature * claim[at]!, claim[features.length]!)
  return 1 / (1 + Math.exp(-sum))
}
