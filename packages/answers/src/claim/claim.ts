/** Whether the best units answer a question: the probability that they do, by logistic regression over a few features. */
import type { ScoredUnit } from "../evidence/scoredUnits.ts"
import type { QuestionTerms } from "../evidence/QuestionTerms.ts"
import { COEFFICIENTS, type Coefficients } from "./coefficients.ts"

export const CLAIM_FEATURES = [
  /** Share of the question covered by the best unit with its context. */
  "covered",
  /** Share of the question that occurs nowhere. */
  "absent",
  /** Share of the question that its most telling uncovered word makes up. */
  "gap",
  /** How much is covered, whatever the length of the question: two common words tell little. */
  "information",
  /** Of the question's numbers: 1 when none is covered, -1 when all are, 0 when there are none. */
  "numbers",
  /** How many of the best units are of the same document as the first. */
  "agreement",
  /** Of the best unit, by the coefficients of units. */
  "score"
] as const

const SEVERAL = 5
const SCALE = 20

export const claimFeatures = (terms: QuestionTerms, units: ReadonlyArray<ScoredUnit>): ReadonlyArray<number> => {
  const [best] = units
  if (best === undefined) return CLAIM_FEATURES.map(() => 0)
  const { context, coverage } = best.named
  const several = units.slice(0, SEVERAL)
  const isSame = ({ section }: ScoredUnit) => section.document.document_id === best.section.document.document_id
  return [
    coverage + context,
    terms.absent,
    terms.gap(best.covered),
    terms.information(best.covered),
    terms.numbers(best.covered),
    several.filter(isSame).length / SEVERAL,
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
