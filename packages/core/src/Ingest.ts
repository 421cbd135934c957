/** Taking in what a workspace pushes through its connectors, as far as its plan allows. */
import { Context, type Effect } from "effect"
import type { BadRequest, ConnectorNotFound, QuotaExceeded, StorageUnavailable } from "./model/Error.ts"
import type { IngestResult, JsonItem, TextItem, TypedItem } from "./model/Ingest.ts"
import type { WorkspaceRecord } from "./model/Workspace.ts"

/** `BadRequest`: the connector is deactivated, or an item's kind is none that it accepts. */
type Failure = BadRequest | ConnectorNotFound | QuotaExceeded | StorageUnavailable

/** One request is atomic: when it answers, all its admitted items are stored; when it fails, none is. */
export class Ingest extends Context.Service<Ingest, {
  json(workspace: WorkspaceRecord, connectorId: string, items: ReadonlyArray<JsonItem>): Effect.Effect<IngestResult, Failure>
  text(workspace: WorkspaceRecord, connectorId: string, items: ReadonlyArray<TextItem>): Effect.Effect<IngestResult, Failure>
  typed(workspace: WorkspaceRecord, connectorId: string, items: ReadonlyArray<TypedItem>): Effect.Effect<IngestResult, Failure>
}>()("@tributary/core/Ingest") {}
