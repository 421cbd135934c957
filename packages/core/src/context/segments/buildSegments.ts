/** The segments that one build stores: named after it, and deleted if it fails. */
import { Clock, Effect } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import { KnowledgeStore } from "../../ports/KnowledgeStore.ts"
import { uuid7 } from "../../internal/uuid7.ts"

export const buildSegments = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const knowledge = yield* KnowledgeStore
  const buildId = uuid7(yield* Clock.currentTimeMillis)
  const written: Array<string> = []
  return {
    /** Returns the segment's id. */
    put: (bytes: Uint8Array) =>
      Effect.suspend(() => {
        const segment_id = `${buildId}-${written.length}`
        written.push(segment_id)
        return Effect.as(knowledge.putSegment(workspaceId, segment_id, bytes), segment_id)
        // A sent write may be executed after an interruption, when nobody would delete it any more.
      }).pipe(Effect.uninterruptible),
    drop: Effect.suspend(() => Effect.ignore(knowledge.dropSegments(workspaceId, written)))
  }
})
