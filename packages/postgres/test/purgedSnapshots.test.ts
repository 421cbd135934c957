import { assert, it } from "@effect/vitest"
import { SnapshotId } from "@tributary/core/model/Id"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { KnowledgeStore, type SnapshotSegment } from "@tributary/core/ports/KnowledgeStore"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { admit, item, newSource, newUuid, NOW, remove } from "./support/source.ts"

const schema = newSchema()

describePostgres("a snapshot that the release before published", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    const publish = Effect.fnUntraced(function*(change_seq: number, masked: SnapshotSegment["masked"]) {
      const [knowledge, sql] = [yield* KnowledgeStore, yield* SqlClient]
      const source = yield* newSource
      const { workspaceId } = source
      yield* knowledge.putSegment(workspaceId, "a", new Uint8Array([1]))
      const segments: ReadonlyArray<SnapshotSegment> = [{ segment_id: "a", chunks: 9, bytes: 1, masked }]
      yield* sql`SELECT ${sql(`${schema}.publish`)}(${workspaceId}::uuid, NULL, false, 5, ${newUuid()}::uuid,
        ${change_seq}::bigint, 0::bigint, 0::bigint, '{}', ${NOW}::timestamptz, NULL, ${JSON.stringify(segments)}::text,
        ARRAY['a'])`
      return { ...source, knowledge }
    })

    it.effect("is listed among those with old masked text if it has any", () =>
      Effect.gen(function*() {
        const [hides, clean] = [yield* publish(0, [1]), yield* publish(0, [])]
        const found = yield* hides.knowledge.withMaskedText(NOW, { after: null, limit: 100 })
        assert.include(found, hides.workspaceId)
        assert.notInclude(found, clean.workspaceId)
      }))

    it.effect("is deleted by the first deletion that a later one has seen", () =>
      Effect.gen(function*() {
        const documents = yield* DocumentStore
        const { knowledge, ...source } = yield* publish(2, [1])
        const { workspaceId } = source
        yield* admit(source, [item("b", "b")])
        yield* remove(source, ["b"])
        yield* documents.pruneTombstones
        assert.strictEqual(yield* knowledge.countPending(workspaceId, 0), 1)
        const { snapshot } = yield* knowledge.head(workspaceId)
        const rebuilt = { ...snapshot!, snapshot_id: SnapshotId.make(newUuid()), segments: [] }
        const options = { previous: snapshot!.snapshot_id, replaces: false, keep: 5 }
        assert.isTrue(yield* knowledge.publish(workspaceId, rebuilt, options))
        assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 0)
        yield* documents.pruneTombstones
        assert.strictEqual(yield* knowledge.countPending(workspaceId, 0), 0)
      }))
  })
})
