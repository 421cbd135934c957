/** Reads a stored segment: from this process's copy if it is intact, otherwise from the store. */
import { openSegment, SegmentUnreadable } from "@tributary/retrieval"
import { Data, Effect, Option } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import { KnowledgeStore } from "../../ports/KnowledgeStore.ts"
import { SegmentCache, type SegmentSource } from "../../ports/SegmentCache.ts"

/** A segment of the view is not stored any more, because a newer snapshot was published. */
export class SegmentGone extends Data.TaggedError("SegmentGone")<{ readonly segmentId: string }> {}

/** Null if it cannot be read. */
export const openedCopy = (copy: Uint8Array | SegmentSource | null) =>
  Effect.sync(() => {
    if (copy === null) return null
    const segment = openSegment(copy)
    // All bytes are in memory, so verify them now.
    if (copy instanceof Uint8Array) segment.check(0, copy.length)
    return segment
  }).pipe(
    Effect.catchDefect((defect) => defect instanceof SegmentUnreadable ? Effect.succeed(null) : Effect.die(defect))
  )

/**
 * Throws `SegmentUnreadable` if the stored one is damaged. A suspect copy is read and verified completely instead of on
 * demand. `later` runs the copying of what the store returned, which nobody has to wait for.
 */
export const readSegment = Effect.fnUntraced(
  function*(
    workspaceId: WorkspaceId,
    segmentId: string,
    { isSuspect, later }: {
      readonly isSuspect: boolean
      readonly later: (task: Effect.Effect<void>) => Effect.Effect<void>
    }
  ) {
    const cache = yield* SegmentCache
    const copy = (isSuspect ? null : yield* openedCopy(yield* cache.source(workspaceId, segmentId))) ??
      (yield* openedCopy(yield* cache.get(workspaceId, segmentId)))
    if (copy !== null) return copy
    const bytes = yield* (yield* KnowledgeStore).getSegment(workspaceId, segmentId)
    if (Option.isNone(bytes)) return yield* new SegmentGone({ segmentId })
    const stored = openSegment(bytes.value)
    yield* later(cache.put(workspaceId, segmentId, bytes.value))
    return stored
  }
)
