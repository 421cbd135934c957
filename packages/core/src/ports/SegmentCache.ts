/**
 * Copies of segments near the process, where reading them costs less than from the store. A copy that is lost or damaged
 * is read from the store again, so this may forget anything at any time.
 */
import type { SegmentSource } from "@tributary/retrieval"
import { Context, Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"

export type { SegmentSource }

export interface SegmentCopies {
  /** Null when there is none. Bytes that changed since they were put are found out by the one who opens them. */
  get(workspaceId: WorkspaceId, segmentId: string): Effect.Effect<Uint8Array | null>
  /**
   * To read a copy as it is needed, without waiting and for as long as anybody holds the source. Null when there is none,
   * or when it is as well read as a whole.
   */
  source(workspaceId: WorkspaceId, segmentId: string): Effect.Effect<SegmentSource | null>
  put(workspaceId: WorkspaceId, segmentId: string, bytes: Uint8Array): Effect.Effect<void>
  /** Forgets all other segments of the workspace. */
  retain(workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): Effect.Effect<void>
  /** Those that it has segments of. */
  readonly workspaces: Effect.Effect<ReadonlyArray<WorkspaceId>>
}

/** Keeps nothing by default. */
export const SegmentCache = Context.Reference<SegmentCopies>("@tributary/core/ports/SegmentCache", {
  defaultValue: () => ({
    get: () => Effect.succeed(null),
    source: () => Effect.succeed(null),
    put: () => Effect.void,
    retain: () => Effect.void,
    workspaces: Effect.succeed([])
  })
})
