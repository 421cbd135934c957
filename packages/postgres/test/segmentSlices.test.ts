import { assert, it } from "@effect/vitest"
import { SnapshotId } from "@tributary/core/model/Id"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { newSource, newUuid, NOW } from "./support/source.ts"

const schema = newSchema()

describePostgres("a segment of which a slice is missing", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("is not stored further, and cannot be published", () =>
      Effect.gen(function*() {
        const [knowledge, sql] = [yield* KnowledgeStore, yield* SqlClient.SqlClient]
        const { workspaceId } = yield* newSource
        const slices = sql`SELECT slice FROM ${sql(`${schema}.segments`)} ORDER BY slice`
        // As if another server had deleted it at once.
        yield* sql.unsafe(`CREATE FUNCTION ${schema}.lose() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RETURN NULL; END $$`)
        const lose = (slice: number) =>
          sql.unsafe(`CREATE OR REPLACE TRIGGER lose BEFORE INSERT ON ${schema}.segments
            FOR EACH ROW WHEN (NEW.slice = ${slice}) EXECUTE FUNCTION ${schema}.lose()`)
        const bytes = new Uint8Array(3 * 1024 * 1024)
        yield* lose(2)
        yield* knowledge.putSegment(workspaceId, "a", bytes)
        assert.deepStrictEqual(yield* slices, [])
        yield* lose(0)
        yield* knowledge.putSegment(workspaceId, "a", bytes)
        assert.deepStrictEqual(yield* slices, [{ slice: 1 }, { slice: 2 }])
        assert.isTrue(Option.isNone(yield* knowledge.getSegment(workspaceId, "a")))
        const { change_seq, chunk_seq, generation, settings } = yield* knowledge.head(workspaceId)
        const snapshot = {
          snapshot_id: SnapshotId.make(newUuid()),
          change_seq,
          chunk_seq,
          generation,
          settings,
          built_at: NOW,
          watermark: null,
          segments: [{ segment_id: "a", chunks: 1, bytes: bytes.length, masked: [] }]
        }
        assert.isFalse(yield* knowledge.publish(workspaceId, snapshot, { previous: null, replaces: false, keep: 1 }))
      }))
  })
})
