/**
 * Connections with the states of their resources.
 *
 * To the documents of a workspace a connection is one more source: with it goes an origin of the same id that documents
 * can be admitted under, active for as long as the connection is there and not paused. The origin outlives the
 * connection, as its documents do; `ConnectorStore` does not show it.
 */
import { Context, type Option } from "effect"
import type { Connection, SyncState } from "../model/Connection.ts"
import type { ConnectionId, JobId, WorkspaceId } from "../model/Id.ts"
import type { NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

export interface ConnectionRecord extends Connection {
  /** Sealed; null when there are none. */
  readonly secrets: string | null
  /** Grows when what was synced so far no longer tells where the next sync may begin. */
  readonly revision: number
}

export type ConnectionChange = Partial<
  Pick<
    ConnectionRecord,
    "name" | "config" | "secrets" | "revision" | "sync_config" | "resources" | "status" | "error"
  >
>

/** How far the pulling of a resource is, without the cursor, which may have megabytes. */
export interface SyncStanding extends SyncState {
  /** The connection's revision that the cursor is of. */
  readonly revision: number
  /** The job that syncs it, or did last. */
  readonly job_id: JobId | null
  /** When the next sync is due by itself; null while one is queued or runs, and when none will be. */
  readonly due_at: Date | null
}

export interface SyncRecord extends SyncStanding {
  /** Of the last checkpoint; null before the first. */
  readonly cursor: string | null
}

/** A job syncs it, or is to: another one must not begin beside it. */
export const isUnderWay = ({ status }: Pick<SyncRecord, "status">): boolean =>
  status === "pending" || status === "running"

export interface ResourceRef {
  readonly connection_id: ConnectionId
  readonly resource: string
}

export class ConnectionStore extends Context.Service<ConnectionStore, {
  /** Refuses more than `maximum`. */
  insert(workspaceId: WorkspaceId, connection: ConnectionRecord, maximum: number): Stored<"inserted" | "full">
  find(workspaceId: WorkspaceId, connectionId: ConnectionId): Stored<Option.Option<ConnectionRecord>>
  /** Newest first. */
  list(workspaceId: WorkspaceId): Stored<ReadonlyArray<ConnectionRecord>>
  /** Only while its status is `from`, when one is given. */
  update(
    workspaceId: WorkspaceId,
    connectionId: ConnectionId,
    change: ConnectionChange,
    from: Connection["status"] | null
  ): Stored<Option.Option<ConnectionRecord>>
  /** Puts sealed secrets in the place of others; false, with nothing changed, when those are there no more. */
  reseal(workspaceId: WorkspaceId, connectionId: ConnectionId, before: string, after: string): Stored<boolean>
  /** With its states; its documents stay, and none are admitted any more. Says whether it was there. */
  remove(workspaceId: WorkspaceId, connectionId: ConnectionId): Stored<boolean>
  /** By resource, those of resources that it no longer names included. */
  states(workspaceId: WorkspaceId, connectionId: ConnectionId): Stored<ReadonlyArray<SyncStanding>>
  /** Of one resource, with its cursor. */
  findState(workspaceId: WorkspaceId, of: ResourceRef): Stored<Option.Option<SyncRecord>>
  /** Adds the states of resources that have none; the others stay as they are. */
  addStates(workspaceId: WorkspaceId, states: ReadonlyArray<SyncRecord>): Stored<void>
  /**
   * Puts a state in the place of the one whose `job_id` is `holder`; false, with nothing changed, when it is another's
   * by now. With a job to follow, it is enqueued in the same act; while a state is pending or running, its holder must
   * neither be queued nor running.
   */
  saveState(
    workspaceId: WorkspaceId,
    state: SyncRecord,
    holder: JobId | null,
    follow: NewJob | null
  ): Stored<boolean>
  /**
   * Of active connections of all workspaces: what is due, and what says that it is queued or running while its job has
   * ended. At most `limit`.
   */
  due(now: Date, limit: number): Stored<ReadonlyArray<ResourceRef & { readonly workspace_id: WorkspaceId }>>
  /**
   * Notes that documents are gone at the source, or there after all. Only stored documents are noted; noting twice is
   * noting once.
   */
  noteDeletions(workspaceId: WorkspaceId, of: ResourceRef, change: {
    readonly gone: ReadonlyArray<string>
    readonly there: ReadonlyArray<string>
  }): Stored<void>
  /** External ids that are noted as gone, by id; at most `limit`. */
  deletions(workspaceId: WorkspaceId, of: ResourceRef, limit: number): Stored<ReadonlyArray<string>>
  countDeletions(workspaceId: WorkspaceId, of: ResourceRef): Stored<number>
}>()("@tributary/core/ports/ConnectionStore") {}
