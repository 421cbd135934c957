/** The cap on one document, as an item meets it. */
import { Effect } from "effect"
import type { ItemDraft } from "./ingestItem.ts"
import type { ConnectorId, WorkspaceId } from "../model/Id.ts"
import type { DocumentStore } from "../ports/DocumentStore.ts"
import type { Stored } from "../ports/Storage.ts"

/**
 * The most bytes of an item; null: any. A replacement that does not grow fits even if the cap was lowered below what is
 * stored, so for a larger item this is the size of the document that it replaces.
 */
export const documentCap = (
  documents: DocumentStore["Service"],
  workspaceId: WorkspaceId,
  connectorId: ConnectorId,
  cap: number | null
) =>
({ external_id, size }: ItemDraft): Stored<number | null> =>
  cap === null || size <= cap || external_id === null
    ? Effect.succeed(cap)
    : Effect.map(
      documents.list(workspaceId, connectorId, { externalId: external_id, after: null, limit: 1 }),
      ([stored]) => Math.max(cap, stored?.size ?? 0)
    )
