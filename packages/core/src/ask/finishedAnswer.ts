/** The whole answer, once its statements are known. */
import type { Answer } from "../model/Ask.ts"
import type { SnapshotId } from "../model/Id.ts"
import type { Outcome } from "../ports/Answerer.ts"
import type { AnswerDraft } from "./AnswerDraft.ts"

const NO_EVIDENCE = "The knowledge context of this workspace holds nothing that answers this question."

/** They often hold the answer in other words than the question's. */
const ONLY_RELATED =
  "The knowledge context of this workspace holds no certain answer to this question, only passages that come close."

const unproved = (statements: number): string =>
  `answerer: ${
    statements === 1 ? "a statement was" : `${statements} statements were`
  } left out, because not every quote ` +
  "is in the passages that the answerer was given"

/** `evidenceWarnings` are those about the searches. */
export const finishedAnswer = (
  draft: AnswerDraft,
  outcome: Outcome,
  snapshot: SnapshotId | null,
  evidenceWarnings: ReadonlyArray<string>
): Answer => {
  const answered = draft.citations.length > 0
  const related = answered ? [] : draft.related(outcome.related)
  const warnings = [
    ...evidenceWarnings,
    ...(draft.leftOut > 0 ? [unproved(draft.leftOut)] : []),
    ...outcome.warnings
  ]
  return {
    response: answered ? draft.response : related.length > 0 ? ONLY_RELATED : NO_EVIDENCE,
    citations: draft.citations,
    truncated: answered && outcome.truncated,
    answered,
    snapshot,
    model: outcome.model,
    ...(related.length === 0 ? {} : { related }),
    ...(warnings.length === 0 ? {} : { warnings })
  }
}
