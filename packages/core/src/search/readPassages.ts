/** The texts of hits, which the index does not contain. */
import type { Hit } from "@tributary/retrieval"
import { Effect } from "effect"
import type { DocumentId, WorkspaceId } from "../model/Id.ts"
import type { DocumentStore, Passage, PassageRef } from "../ports/DocumentStore.ts"

const refOf = (hit: Hit): PassageRef => ({
  // The index returns ids unchanged.
  document_id: hit.documentId as DocumentId,
  change_seq: hit.version,
  ordinal: hit.ordinal
})

export const keyOf = ({ change_seq, document_id, ordinal }: PassageRef): string =>
  `${document_id} ${change_seq} ${ordinal}`

/** A passage as models read it. */
export const titledText = ({ document, text }: Passage): string =>
  document.title === null ? text : `${document.title}\n\n${text}`

/** Documents that changed since are absent. Hits in `known` are not read again. */
export const readPassages = Effect.fnUntraced(
  function*(
    documents: DocumentStore["Service"],
    workspaceId: WorkspaceId,
    hits: ReadonlyArray<Hit>,
    withPayload: boolean,
    known: ReadonlyArray<Passage> = []
  ) {
    const byKey = new Map(known.map((passage) => [keyOf(passage), passage]))
    const refs = hits.map(refOf)
    const keys = refs.map(keyOf)
    const unknown = refs.filter((_, at) => !byKey.has(keys[at]!))
    const read = unknown.length === 0 ? [] : yield* documents.passages(workspaceId, unknown, withPayload)
    for (const passage of read) byKey.set(keyOf(passage), passage)
    const found = new Map<Hit, Passage>()
    hits.forEach((hit, at) => {
      const passage = byKey.get(keys[at]!)
      if (passage !== undefined) found.set(hit, passage)
    })
    return found
  }
)
