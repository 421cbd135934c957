/** The units found for a question, best first. */
import type { Evidence, EvidenceSource } from "@tributary/core/ports/Answerer"
import { Effect } from "effect"
import { COEFFICIENTS } from "../claim/coefficients.ts"
import { type Candidate, candidateUnits } from "./candidateUnits.ts"
import { type Features, UnitReader } from "./features.ts"
import type { QuestionTerms } from "./QuestionTerms.ts"

export interface ScoredUnit extends Candidate, Features {
  readonly score: number
}

const scoreOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value, at) => sum + value * COEFFICIENTS.units[at]!, 0)

export const scoredUnits = Effect.fnUntraced(
  function*(evidence: Evidence, source: EvidenceSource, terms: QuestionTerms) {
    const reader = new UnitReader(terms, evidence.passages[0]?.score ?? 1)
    const candidates = yield* candidateUnits(evidence, source)
    return candidates
      .map((candidate): ScoredUnit => {
        const features = reader.features(candidate)
        return { ...candidate, ...features, score: scoreOf(features.values) }
      })
      .sort((one, other) => other.score - one.score || one.rank - other.rank || one.index - other.index)
  }
)
