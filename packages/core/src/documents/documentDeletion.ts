/** Deletes documents: one, those of some external ids, or those of a filter whose number is confirmed. */
import { Array as Arr, Clock, Effect, Struct } from "effect"
import { refreshJob } from "../context/contextJobs.ts"
import { findConnector } from "../ingest/findConnector.ts"
import { type DocumentDeletion, MAX_COUNTED } from "../model/DocumentList.ts"
import { Conflict, DocumentNotFound } from "../model/Error.ts"
import { DocumentId, parseId, type WorkspaceId } from "../model/Id.ts"
import { isExternalId } from "../model/Ingest.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { auditing, type Note } from "../people/auditing.ts"
import { ConnectorStore } from "../ports/ConnectorStore.ts"
import { DocumentStore, type DocumentVersion, type Selection } from "../ports/DocumentStore.ts"
import { documentSelection, ofIds } from "./documentSelection.ts"

/** How many documents one step of a deletion deletes. */
const DELETED_AT_ONCE = 1_000

/** A document as it was when it was selected for deletion. */
export type SelectedVersion = DocumentVersion & { readonly source: string }

/** What a connector deletes is not recorded: its program does that as often as it pushes. */
const deletionOf = (subject: string, workspace: WorkspaceRecord, by: Principal): Note => ({
  action: "documents.deleted",
  by,
  in: workspace,
  subject
})

/** The operations of `Documents` that delete. */
export const documentDeletion = Effect.gen(function*() {
  const store = yield* DocumentStore
  const stores = { connectors: yield* ConnectorStore, documents: store }
  const audit = yield* auditing
  const { presentRange, selectionOf } = yield* documentSelection

  const remove = Effect.fnUntraced(function*(workspaceId: WorkspaceId, selection: Selection) {
    const now = yield* Clock.currentTimeMillis
    return yield* store.remove(workspaceId, selection, new Date(now), refreshJob(workspaceId, now))
  })

  const selected = Effect.fnUntraced(function*(workspaceId: WorkspaceId, deletion: DocumentDeletion) {
    const { confirm_total, document_ids } = deletion
    if (document_ids) return yield* store.matching(workspaceId, ofIds(document_ids), document_ids.length)
    const range = yield* presentRange(workspaceId)
    const filter = yield* selectionOf(workspaceId, deletion.filter ?? {}, range, null)
    const found = filter === null ? [] : yield* store.matching(workspaceId, filter, MAX_COUNTED + 1)
    if (found.length === confirm_total) return found
    const isCounted = found.length <= MAX_COUNTED
    return yield* new Conflict({
      message: isCounted
        ? `The filter matches ${found.length} documents, not the ${confirm_total} that were confirmed.`
        : `The filter matches more than ${MAX_COUNTED} documents. Narrow it, and delete in parts.`,
      details: { total: isCounted ? found.length : null }
    })
  })

  const deleteSelected = Effect.fnUntraced(
    function*(workspace: WorkspaceRecord, selected: ReadonlyArray<SelectedVersion>, by: Principal) {
      const { workspace_id } = workspace
      const removed = yield* Effect.forEach(
        Arr.chunksOf(selected, DELETED_AT_ONCE),
        (versions) => audit(remove(workspace_id, { versions }), deletionOf(workspace_id, workspace, by))
      )
      return removed.flat().map(({ document_id }) => document_id)
    }
  )

  const deleteOne = Effect.fnUntraced(function*(workspace: WorkspaceRecord, documentId: string, by: Principal) {
    const document_id = yield* Effect.fromOption(parseId(DocumentId)(documentId), () => new DocumentNotFound())
    const [removed] = yield* audit(
      remove(workspace.workspace_id, { document_id }),
      deletionOf(document_id, workspace, by)
    )
    return removed === undefined
      ? yield* new DocumentNotFound()
      : Struct.pick(removed, ["document_id", "external_id"])
  })

  const deleteMany = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, connectorId: string, externalIds: ReadonlyArray<string>) {
      const { connector_id } = yield* findConnector(stores, workspaceId, connectorId)
      const wanted = [...new Set(externalIds)].filter((externalId) => isExternalId(externalId))
      if (wanted.length === 0) return []
      const removed = yield* remove(workspaceId, { connector_id, external_ids: wanted })
      const existed = new Set(removed.map(({ external_id }) => external_id))
      return wanted.filter((externalId) => existed.has(externalId))
    }
  )

  const deleteByExternalId = Effect.fnUntraced(
    function*(workspaceId: WorkspaceId, connectorId: string, externalId: string) {
      const removed = yield* deleteMany(workspaceId, connectorId, [externalId])
      if (removed.length === 0) return yield* new DocumentNotFound()
    }
  )

  return { selected, deleteSelected, delete: deleteOne, deleteByExternalId, deleteMany }
})
