/** Reading and deleting what is stored, and the events that tell how it came and went. */
import { Context, type Effect } from "effect"
import type { Document, Event, FullDocument } from "./model/Document.ts"
import type { ConnectorNotFound, DocumentNotFound, StorageUnavailable } from "./model/Error.ts"
import type { WorkspaceId } from "./model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "./model/Page.ts"

export class Documents extends Context.Service<Documents, {
  /** Newest first, without text. */
  list(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string | null,
    page: PageRequest
  ): Effect.Effect<Page<Document>, ConnectorNotFound | InvalidCursor | StorageUnavailable>
  find(workspaceId: WorkspaceId, documentId: string): Effect.Effect<FullDocument, DocumentNotFound | StorageUnavailable>
  findByExternalId(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string
  ): Effect.Effect<FullDocument, ConnectorNotFound | DocumentNotFound | StorageUnavailable>
  delete(workspaceId: WorkspaceId, documentId: string): Effect.Effect<
    Pick<Document, "document_id" | "external_id">,
    DocumentNotFound | StorageUnavailable
  >
  deleteByExternalId(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalId: string
  ): Effect.Effect<void, ConnectorNotFound | DocumentNotFound | StorageUnavailable>
  /** The external ids that existed, in the order given. */
  deleteMany(
    workspaceId: WorkspaceId,
    connectorId: string,
    externalIds: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<string>, ConnectorNotFound | StorageUnavailable>
  /** Oldest first. */
  events(
    workspaceId: WorkspaceId,
    filter: { readonly source: string | null; readonly kind: string | null },
    page: PageRequest
  ): Effect.Effect<Page<Event>, InvalidCursor | StorageUnavailable>
}>()("@tributary/core/Documents") {}
