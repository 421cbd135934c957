/** Reading and deleting documents, and their events. */
import { Context, Effect, Layer, type Stream } from "effect"
import { traceMethods } from "../internal/collectedTraces.ts"
import type { Document, Event, FullDocument } from "../model/Document.ts"
import type { DocumentDeletion, DocumentFilter, DocumentSort } from "../model/DocumentList.ts"
import type { Conflict, ConnectorNotFound, DocumentNotFound, StorageUnavailable } from "../model/Error.ts"
import type { DocumentId, WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import type { Principal } from "../model/Principal.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { documentDeletion, type SelectedVersion } from "./documentDeletion.ts"
import { documentEvents, type EventFilter, type NumberedEvent } from "./documentEvents.ts"
import { documentReading } from "./documentReading.ts"

export type { EventFilter, NumberedEvent, SelectedVersion }

export class Documents extends Context.Service<Documents, {
  /** Newest first, without text. */
  list(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string | null,
    page: PageRequest
  ): Effect.Effect<Page<Document>, ConnectorNotFound | InvalidCursor | StorageUnavailable>
  /**
   * All documents of the workspace, sorted and filtered, with the number of matches. `warnings`: if there are none,
   * values of the filter that match nothing in the workspace.
   */
  browse(workspaceId: WorkspaceId, filter: DocumentFilter, sort: DocumentSort, page: PageRequest): Effect.Effect<
    Page<Document> & { readonly total: number; readonly warnings: ReadonlyArray<string> },
    InvalidCursor | StorageUnavailable
  >
  /** The documents that a deletion would delete now. Fails if their number is not the confirmed one. */
  selected(
    workspaceId: WorkspaceId,
    deletion: DocumentDeletion
  ): Effect.Effect<ReadonlyArray<SelectedVersion>, Conflict | StorageUnavailable>
  /** Deletes the documents that have not changed since they were selected. Returns their ids. */
  deleteSelected(
    workspace: WorkspaceRecord,
    selected: ReadonlyArray<SelectedVersion>,
    by: Principal
  ): Effect.Effect<ReadonlyArray<DocumentId>, StorageUnavailable>
  find(workspaceId: WorkspaceId, documentId: string): Effect.Effect<FullDocument, DocumentNotFound | StorageUnavailable>
  findByExternalId(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string
  ): Effect.Effect<FullDocument, ConnectorNotFound | DocumentNotFound | StorageUnavailable>
  delete(workspace: WorkspaceRecord, documentId: string, by: Principal): Effect.Effect<
    Pick<Document, "document_id" | "external_id">,
    DocumentNotFound | StorageUnavailable
  >
  deleteByExternalId(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string
  ): Effect.Effect<void, ConnectorNotFound | DocumentNotFound | StorageUnavailable>
  /** The external ids that existed, in the given order. */
  deleteMany(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalIds: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<string>, ConnectorNotFound | StorageUnavailable>
  /** Oldest first. */
  events(
    workspaceId: WorkspaceId,
    filter: EventFilter,
    page: PageRequest
  ): Effect.Effect<Page<Event> & { readonly warnings: ReadonlyArray<string> }, InvalidCursor | StorageUnavailable>
  /** The newest ones, newest first. */
  latestEvents(workspaceId: WorkspaceId, limit: number): Effect.Effect<ReadonlyArray<Event>, StorageUnavailable>
  /**
   * New events in batches, without end: after number `since`, or from now on if it is null. A number that is not in use
   * yet also means now.
   */
  watch(
    workspaceId: WorkspaceId,
    filter: EventFilter,
    since: number | null
  ): Effect.Effect<Stream.Stream<ReadonlyArray<NumberedEvent>, StorageUnavailable>, StorageUnavailable>
}>()("@tributary/core/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const operations = Documents.of({
        ...(yield* documentReading),
        ...(yield* documentDeletion),
        ...(yield* documentEvents)
      })
      return traceMethods(operations, "Documents", "internal")
    })
  )
}
