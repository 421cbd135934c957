/** The cap on one document, as the items of a batch meet it. */
import { Effect } from "effect"
import type { ItemDraft } from "./ingestItem.ts"
import type { ConnectorId, WorkspaceId } from "../model/Id.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"

/**
 * The most bytes of each item; null: any. A replacement that does not grow fits even if the cap was lowered below what
 * is stored, so for a larger item this is the size of the document that it replaces.
 */
export const documentCaps = Effect.fnUntraced(function*(
  documents: DocumentStore["Service"],
  workspaceId: WorkspaceId,
  connectorId: ConnectorId,
  cap: number | null,
  drafts: ReadonlyArray<ItemDraft>
) {
  const replaced = cap === null
    ? []
    : drafts.flatMap(({ external_id, size }) => size > cap && external_id !== null ? [external_id] : [])
  const sizes = replaced.length === 0
    ? new Map<string, number>()
    : yield* documents.sizes(workspaceId, connectorId, replaced)
  return ({ external_id }: ItemDraft): number | null =>
    cap === null ? null : Math.max(cap, (external_id === null ? undefined : sizes.get(external_id)) ?? 0)
})
