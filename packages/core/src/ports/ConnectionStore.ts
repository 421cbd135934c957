/**
 * Connections with the states of their resources.
 *
 * For the documents of a workspace a connection is one more source: it has an origin of the same id, under which
 * documents are admitted while the connection exists and is not paused. The origin outlives the connection, as its
 * documents do. `ConnectorStore` does not show it.
 */
import { Context, type Option } from "effect"
import type { Connection, SyncState } from "../model/Connection.ts"
import type { ConnectionId, JobId, WorkspaceId } from "../model/Id.ts"
import type { FencingToken, NewJob } from "./JobStore.ts"
import type { Stored } from "./Storage.ts"

export interface ConnectionRecord extends Connection {
  /** Encrypted; null when there are none. */
  readonly secrets: string | null
  /** Increases when earlier cursors become invalid. */
  readonly revision: number
}

export type ConnectionChange = Partial<
  Pick<
    ConnectionRecord,
    "name" | "config" | "secrets" | "revision" | "sync_config" | "resources" | "status" | "error"
  >
>

/** An absent one may be any. */
export type ConnectionFrom = Partial<Pick<ConnectionRecord, "status" | "revision" | "sync_config">>

/** The progress of a resource, without the cursor, which may be megabytes long. */
export interface SyncSummary extends SyncState {
  /** The revision of the connection to which the cursor belongs. */
  readonly revision: number
  /** The job that syncs it, or the last one that did. */
  readonly job_id: JobId | null
  /** When the next scheduled sync is due; null while one is queued or running, and if there will be none. */
  readonly due_at: Date | null
}

export interface SyncRecord extends SyncSummary {
  /** The cursor of the last checkpoint; null before the first. */
  readonly cursor: string | null
}

export interface ResourceRef {
  readonly connection_id: ConnectionId
  readonly resource: string
}

export class ConnectionStore extends Context.Service<ConnectionStore, {
  /** With the states of its resources. Refuses more than `maximum` connections. */
  insert(
    workspaceId: WorkspaceId,
    connection: ConnectionRecord,
    maximum: number,
    states?: ReadonlyArray<SyncRecord>
  ): Stored<"inserted" | "full">
  find(workspaceId: WorkspaceId, connectionId: ConnectionId): Stored<Option.Option<ConnectionRecord>>
  /** Newest first. */
  list(workspaceId: WorkspaceId): Stored<ReadonlyArray<ConnectionRecord>>
  /**
   * Only while its fields are those of `from`. `states` are added in the same act for resources without one; the others
   * stay as they are.
   */
  update(
    workspaceId: WorkspaceId,
    connectionId: ConnectionId,
    change: ConnectionChange,
    from: ConnectionFrom,
    states?: ReadonlyArray<SyncRecord>
  ): Stored<Option.Option<ConnectionRecord>>
  /** Replaces encrypted secrets; false, without a change, if the stored ones are not `before`. */
  reseal(workspaceId: WorkspaceId, connectionId: ConnectionId, before: string, after: string): Stored<boolean>
  /**
   * Deletes the connection with its states. Its documents stay, and no more are admitted. Returns whether it existed;
   * `deletion` is then enqueued in the same act.
   */
  remove(workspaceId: WorkspaceId, connectionId: ConnectionId, deletion?: NewJob): Stored<boolean>
  /** By resource, including resources that it no longer names. */
  states(workspaceId: WorkspaceId, connectionId: ConnectionId): Stored<ReadonlyArray<SyncSummary>>
  /** The state of one resource, with its cursor. */
  findState(workspaceId: WorkspaceId, ref: ResourceRef): Stored<Option.Option<SyncRecord>>
  /**
   * Replaces the state whose `job_id` is `holder`; false, without a change, if another job holds it, or the lease of
   * `fencingToken` is lost. `follow` is enqueued in the same act, but not if the state is pending or running and its
   * holder queued or running: false as well.
   */
  saveState(
    workspaceId: WorkspaceId,
    state: SyncRecord,
    holder: JobId | null,
    follow: NewJob | null,
    fencingToken?: FencingToken
  ): Stored<boolean>
  /**
   * States of active connections in all workspaces that are due, or that are queued or running although their job has
   * ended, also of resources that the connection does not have any more. At most `limit`, and none of a suspended
   * workspace.
   */
  due(now: Date, limit: number): Stored<ReadonlyArray<ResourceRef & { readonly workspace_id: WorkspaceId }>>
  /**
   * Marks documents as gone at the source, or removes the mark; nothing if the lease of `fencingToken` is lost. Ids
   * that are not stored are ignored. Idempotent.
   */
  noteDeletions(
    workspaceId: WorkspaceId,
    ref: ResourceRef,
    change: { readonly gone: ReadonlyArray<string>; readonly there: ReadonlyArray<string> },
    fencingToken?: FencingToken
  ): Stored<void>
  /** External ids of stored documents that are marked as gone, sorted; at most `limit`. */
  deletions(workspaceId: WorkspaceId, ref: ResourceRef, limit: number): Stored<ReadonlyArray<string>>
  /** The number of them. */
  countDeletions(workspaceId: WorkspaceId, ref: ResourceRef): Stored<number>
}>()("@tributary/core/ports/ConnectionStore") {}
