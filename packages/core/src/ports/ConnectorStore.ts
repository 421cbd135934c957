/** Custom connectors. They are deactivated, never deleted. */
import { Context, type Option } from "effect"
import type { Connector } from "../model/Connector.ts"
import type { ConnectorId, WorkspaceId } from "../model/Id.ts"
import type { NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

/** The fields of a connector that can change; absent fields stay. */
export type ConnectorChange = Partial<Pick<Connector, "name" | "accepted_kinds" | "metadata" | "is_active">>

export class ConnectorStore extends Context.Service<ConnectorStore, {
  /** Refuses a source name that the workspace has ever used, and more than `maximum` connectors. */
  insert(workspaceId: WorkspaceId, connector: Connector, maximum: number): Stored<"inserted" | "name_taken" | "full">
  find(workspaceId: WorkspaceId, connectorId: ConnectorId): Stored<Option.Option<Connector>>
  /** Newest first; for equal times, the greater id first. */
  list(workspaceId: WorkspaceId, includeInactive: boolean): Stored<ReadonlyArray<Connector>>
  /** `deletion` is enqueued in the same act, ending at the workspace's `change_seq`. */
  update(
    workspaceId: WorkspaceId,
    connectorId: ConnectorId,
    change: ConnectorChange,
    deletion?: NewJob
  ): Stored<Option.Option<Connector>>
}>()("@tributary/core/ports/ConnectorStore") {}
