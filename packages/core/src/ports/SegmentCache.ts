/**
 * Copies of segments near the process, which are faster to read than the store. A lost or damaged copy is read from the
 * store again, so a cache may evict anything at any time.
 */
import type { SegmentSource } from "@tributary/retrieval"
import { Context, Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"

export type { SegmentSource }

/** A cache of segments. What it does not have is read from the store. */
export interface SegmentCopies {
  /** Null if there is no copy. The reader detects damaged bytes. */
  get(workspaceId: WorkspaceId, segmentId: string): Effect.Effect<Uint8Array | null>
  /**
   * Reads a copy on demand, synchronously, for as long as the source is held. Null if there is no copy, or if reading it
   * whole is as good.
   */
  source(workspaceId: WorkspaceId, segmentId: string): Effect.Effect<SegmentSource | null>
  /** Keeps a copy, unless there is no room or the write fails. */
  put(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Effect.Effect<void>
  /** Evicts all other segments of the workspace. */
  retain(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): Effect.Effect<void>
  /** The workspaces that have cached segments. */
  readonly workspaces: Effect.Effect<ReadonlyArray<WorkspaceId>>
}

/** The cache of the service, which caches nothing by default. */
export const SegmentCache = Context.Reference<SegmentCopies>("@tributary/core/ports/SegmentCache", {
  defaultValue: () => ({
    get: () => Effect.succeed(null),
    source: () => Effect.succeed(null),
    put: () => Effect.void,
    retain: () => Effect.void,
    workspaces: Effect.succeed([])
  })
})

/** How many bytes of segments a process keeps loaded. The least recently used are evicted. */
export const SegmentBudget = Context.Reference<number>("@tributary/core/SegmentBudget", {
  defaultValue: () => 512 * 1024 * 1024
})
