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

const isOf = (hit: Hit, { change_seq, document_id, ordinal }: PassageRef): boolean =>
  document_id === hit.documentId && change_seq === hit.version && ordinal === hit.ordinal

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
    const knownOf = (hit: Hit) => byKey.size === 0 ? undefined : byKey.get(keyOf(refOf(hit)))
    const unknown = hits.filter((hit) => knownOf(hit) === undefined)
    const read = unknown.length === 0
      ? []
      : yield* documents.passages(workspaceId, unknown.map(refOf), withPayload)
    const found = new Map<Hit, Passage>()
    let at = 0
    for (const hit of hits) {
      // They come in the order of the hits, without those that changed.
      const next = read[at]
      const passage = knownOf(hit) ?? (next !== undefined && isOf(hit, next) ? next : undefined)
      if (passage === undefined) continue
      if (passage === next) at++
      found.set(hit, passage)
    }
    return found
  }
)
