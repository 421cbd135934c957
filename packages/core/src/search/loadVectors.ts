/** Loads the vectors of segments: from memory, from this process's copy if it is intact, otherwise from the store. */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Effect, Option } from "effect"
import { LruCache } from "../context/LruCache.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { KnowledgeStore, type SnapshotSegment } from "../ports/KnowledgeStore.ts"
import { SegmentBudget, SegmentCache } from "../ports/SegmentCache.ts"
import { Vectors } from "./Vectors.ts"

/** The share of the segment memory that vectors may take. */
const SHARE = 0.5

/** Null if they are damaged. */
const opened = (bytes: Uint8Array) =>
  Effect.sync(() => new Vectors(bytes)).pipe(
    Effect.catchDefect((defect) =>
      defect instanceof SegmentUnreadable
        ? Effect.as(Effect.logWarning("vectors unreadable", defect.reason), null)
        : Effect.die(defect)
    )
  )

export const makeLoadVectors = Effect.gen(function*() {
  const cache = yield* SegmentCache
  const knowledge = yield* KnowledgeStore
  const loaded = new LruCache<Vectors>((yield* SegmentBudget) * SHARE, ({ byteLength }) => byteLength)

  const read = Effect.fnUntraced(function*(workspaceId: WorkspaceId, segmentId: string) {
    const copy = yield* cache.get(workspaceId, segmentId)
    const intact = copy === null ? null : yield* opened(copy)
    if (intact !== null) return intact
    const bytes = Option.getOrNull(yield* knowledge.getSegment(workspaceId, segmentId))
    const vectors = bytes === null ? null : yield* opened(bytes)
    if (bytes !== null && vectors !== null) yield* cache.put(workspaceId, segmentId, bytes)
    return vectors
  })

  return Effect.fnUntraced(function*(workspaceId: WorkspaceId, { segment_id }: SnapshotSegment) {
    const key = `${workspaceId}/${segment_id}`
    const known = loaded.get(key)
    if (known !== undefined) return known
    const vectors = yield* read(workspaceId, segment_id)
    if (vectors !== null) loaded.set(key, vectors)
    return vectors
  })
})
