/** A list of segments that was read before is neither sent nor parsed again. */
import { assert, it } from "@effect/vitest"
import { SnapshotId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { KnowledgeStore, type SnapshotSegment } from "@tributary/core/ports/KnowledgeStore"
import { Effect } from "effect"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { newSource, newUuid, NOW } from "./support/source.ts"

describePostgres("the head of a context", () => {
  it.layer(portsIn(newSchema()), { excludeTestServices: true })((it) => {
    it.effect("has the list of segments that was read last, until another snapshot is published", () =>
      Effect.gen(function*() {
        const knowledge = yield* KnowledgeStore
        const { workspaceId } = yield* newSource
        let previous: SnapshotId | null = null
        const publish = Effect.fnUntraced(function*(masked: SnapshotSegment["masked"]) {
          const snapshot_id = SnapshotId.make(newUuid())
          yield* knowledge.putSegment(workspaceId, "a", new Uint8Array(1))
          yield* knowledge.publish(workspaceId, {
            snapshot_id,
            change_seq: 0,
            chunk_seq: 0,
            generation: 0,
            settings: DEFAULT_SETTINGS,
            built_at: NOW,
            watermark: null,
            segments: [{ segment_id: "a", chunks: 1, bytes: 1, masked }]
          }, { previous, replaces: false, keep: 1 })
          previous = snapshot_id
        })
        const segments = Effect.map(knowledge.head(workspaceId), ({ snapshot }) => snapshot?.segments)
        yield* publish([1])
        const first = yield* segments
        assert.strictEqual(yield* segments, first)
        yield* publish([1, 2])
        assert.deepStrictEqual((yield* segments)?.map(({ masked }) => masked), [[1, 2]])
      }))
  })
})
