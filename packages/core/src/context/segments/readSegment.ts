/** A stored segment: from this process's copy where it has a sound one, else from the store. */
import { openSegment, SegmentUnreadable } from "@tributary/retrieval"
import { Effect, Option } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import { KnowledgeStore } from "../../ports/KnowledgeStore.ts"
import { SegmentCache, type SegmentSource } from "../../ports/SegmentCache.ts"

/** Null when nothing can be read of it. */
const openedCopy = (copy: Uint8Array | SegmentSource | null) =>
  Effect.sync(() => {
    if (copy === null) return null
    const segment = openSegment(copy)
    // The one who needs all bytes in memory may as well know that they are sound.
    if (copy instanceof Uint8Array) segment.check(0, copy.length)
    return segment
  }).pipe(
    Effect.catchDefect((defect) => defect instanceof SegmentUnreadable ? Effect.succeed(null) : Effect.die(defect))
  )

/**
 * Null when it is not stored any more; throws `SegmentUnreadable` when what is stored is damaged. A copy that is suspectSnapshotId
 * is read as a whole, and not as it is needed.
 */
export const readSegment = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, segmentId: string, { isDoubted }: { readonly isDoubted: boolean }) {
    const cache = yield* SegmentCache
    const copy = (isDoubted ? null : yield* openedCopy(yield* cache.source(workspaceId, segmentId))) ??
      (yield* openedCopy(yield* cache.get(workspaceId, segmentId)))
    if (copy !== null) return copy
    const bytes = yield* (yield* KnowledgeStore).getSegment(workspaceId, segmentId)
    if (Option.isNone(bytes)) return null
    const stored = openSegment(bytes.value)
    yield* cache.put(workspaceId, segmentId, bytes.value)
    return stored
  }
)
