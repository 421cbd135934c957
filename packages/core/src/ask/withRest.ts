/** Passages with the rest of their documents: what is counted may be listed in one, and the question's words in few of its lines. */
import { MOST_LISTING } from "@tributary/retrieval"
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { Evidence } from "../ports/Answerer.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"

/** Of so many of the best documents it is read. */
const FOLLOWED = 8

export const withRest = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, passages: ReadonlyArray<Evidence>) {
    const documents = yield* DocumentStore
    const keyOf = (one: Pick<Evidence, "document_id" | "ordinal">) => `${one.document_id} ${one.ordinal}`
    const known = new Set(passages.map(keyOf))
    const followed = [...new Map(passages.map((passage) => [passage.document_id, passage])).values()].slice(0, FOLLOWED)
    const refs = followed.flatMap(({ change_seq, document_id }) =>
      Array.from({ length: MOST_LISTING }, (_, ordinal) => ({ document_id, change_seq, ordinal }))
    ).filter((ref) => !known.has(keyOf(ref)))
    const read = refs.length === 0 ? [] : yield* documents.passages(workspaceId, refs, false)
    return [...passages, ...read.map((passage) => ({ ...passage, score: 0, context: "", above: "", isRest: true }))]
  }
)
