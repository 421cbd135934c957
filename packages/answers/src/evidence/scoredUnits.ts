/** The units found for a question, best first. */
import type { EvidenceSource } from "@tributary/core/ports/Answerer"
import { Effect } from "effect"
import { COEFFICIENTS, type Coefficients } from "../claim/coefficients.ts"
import { type Candidate, candidateUnits } from "./candidateUnits.ts"
import { type Features, featuresOf } from "./features.ts"
import { QuestionTerms } from "./QuestionTerms.ts"

export interface ScoredUnit extends Candidate, Features {
  /** The probability that it holds the answer, if any unit does. */
  readonly likelihood: number
}

/** Best first. Of units with the same text, as in two versions of a document, only the best one remains. */
export const rankUnits = (
  units: ReadonlyArray<Candidate & Features>,
  { units: weights }: Pick<Coefficients, "units">
): ReadonlyArray<ScoredUnit> => {
  const texts = new Set<string>()
  const best = units
    .map((unit) => ({ ...unit, odds: Math.exp(unit.values.reduce((sum, value, at) => sum + value * weights[at]!, 0)) }))
    .sort((one, other) => other.odds - one.odds)
    .filter(({ section, unit }) => {
      const { size } = texts
      return texts.add(section.text.slice(unit.start, unit.end)).size > size
    })
  const total = best.reduce((sum, { odds }) => sum + odds, 0)
  return best.map(({ odds, ...unit }) => ({ ...unit, likelihood: odds / total }))
}

/** All that is known of a question before anything is claimed or packed, from at most `most` passages. */
export const examine = Effect.fnUntraced(function*(query: string, source: EvidenceSource, most: number) {
  const evidence = yield* source.search(query, most)
  const terms = new QuestionTerms(evidence)
  const candidates = yield* candidateUnits(evidence, source, most)
  const units = rankUnits(candidates.map((one) => ({ ...one, ...featuresOf(terms, one) })), COEFFICIENTS)
  return { evidence, terms, units }
})
