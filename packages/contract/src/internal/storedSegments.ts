/** Segments without content, and snapshots of them. */
import { SnapshotId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { KnowledgeStore, type Snapshot } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Option } from "effect"
import { freshSource, moment, newUuid } from "./fixtures.ts"

export const snapshotOf = (segments: ReadonlyArray<string>, fields?: Partial<Snapshot>): Snapshot => ({
  snapshot_id: SnapshotId.make(newUuid()),
  change_seq: 0,
  chunk_seq: 0,
  generation: 0,
  settings: DEFAULT_SETTINGS,
  built_at: moment(),
  watermark: null,
  segments: segments.map((segment_id) => ({ segment_id, chunks: 1, bytes: 1, masked: [] })),
  ...fields
})

type Options = Parameters<KnowledgeStore["Service"]["publish"]>[2]

/** A workspace with segments `a`, `b` and `c` and no snapshot yet. */
export const storedSegments = Effect.gen(function*() {
  const knowledge = yield* KnowledgeStore
  const source = yield* freshSource
  const { workspaceId } = source
  for (const segmentId of ["a", "b", "c"]) yield* knowledge.putSegment(workspaceId, segmentId, new Uint8Array([1]))
  const defaults: Options = { previous: null, replaces: false, keep: 10 }
  return {
    ...source,
    knowledge,
    publish: (snapshot: Snapshot, options?: Partial<Options>) =>
      knowledge.publish(workspaceId, snapshot, { ...defaults, ...options }),
    head: knowledge.head(workspaceId),
    stored: Effect.map(
      Effect.filter(
        ["a", "b", "c"],
        (segmentId) => Effect.map(knowledge.getSegment(workspaceId, segmentId), Option.isSome)
      ),
      (found) => found.join("")
    )
  }
})
