import { assert, it } from "@effect/vitest"
import { ApiKeyId, type DocumentId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Context, Effect, Layer, Option, String } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Postgres from "../src/Postgres.ts"
import { describePostgres, newSchema, pool, portsIn } from "./support/database.ts"
import { admit, item, newJob, newSource, newUuid, NOW, remove } from "./support/source.ts"
import { rowsOf } from "./support/truth.ts"

const schema = newSchema()

/** Consecutive slices of 2,000 characters. */
const cut = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / 2_000) }, (_, index) => text.slice(index * 2_000, (index + 1) * 2_000))

const MEGABYTE = 1024 * 1024

describePostgres("storage", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("returns a document whose text and payload exceed one message of the protocol", () =>
      Effect.gen(function*() {
        const documents = yield* DocumentStore
        const source = yield* newSource
        const chunks = cut("ab😀".repeat(5 * MEGABYTE))
        const payload = JSON.stringify({ data: "\u0000é😀".repeat(2 * MEGABYTE) })
        const sent = item("large", "large", { chunks, payload })
        assert.deepStrictEqual(yield* admit(source, [item("small", "small"), sent]), ["created", "created"])
        const found = Option.getOrThrow(yield* documents.find(source.workspaceId, sent.document_id))
        assert.isTrue(found.payload === payload)
        assert.isTrue(found.chunks.join("") === chunks.join(""))
        assert.strictEqual(found.chunks.length, chunks.length)
        const ref = { document_id: sent.document_id, change_seq: found.change_seq, ordinal: 7 }
        const [passage] = yield* documents.passages(source.workspaceId, [ref], true)
        assert.strictEqual(passage?.start, 14_000)
        assert.isTrue(passage?.payload === payload)
      }))

    it.effect("ends a page before 16 MiB of text, and always makes progress", () =>
      Effect.gen(function*() {
        const documents = yield* DocumentStore
        const source = yield* newSource
        const text = "x".repeat(7 * MEGABYTE)
        for (const id of ["a", "b", "c", "d"]) yield* admit(source, [item(id, id, { chunks: cut(text) })])
        yield* admit(source, [item("huge", "huge", { chunks: cut(text.repeat(3)) }), item("e", "e"), item("f", "f")])
        yield* remove(source, ["f"])
        const pages: Array<ReadonlyArray<string>> = []
        for (let since = 0;;) {
          const page = yield* documents.changes(source.workspaceId, since, 100)
          if (page.length === 0) break
          since = page.at(-1)!.change_seq
          pages.push(page.map(({ document }) => document?.external_id ?? "-"))
        }
        assert.deepStrictEqual(pages, [["a", "b"], ["c", "d"], ["huge"], ["e", "-"]])
        const scanned: Array<ReadonlyArray<string>> = []
        for (let after: { readonly timestamp: Date; readonly document_id: DocumentId } | null = null;;) {
          const page: Effect.Success<ReturnType<typeof documents.scan>> = yield* documents.scan(
            source.workspaceId,
            after,
            100
          )
          if (page.length === 0) break
          after = page.at(-1)!
          scanned.push(page.map(({ external_id }) => external_id))
        }
        assert.deepStrictEqual(scanned, [["a", "b"], ["c", "d"], ["huge"], ["e"]])
      }))

    it.effect("leaves no row of an erased workspace in any table, and every row of the others", () =>
      Effect.gen(function*() {
        const store = yield* WorkspaceStore
        const furnished = Effect.gen(function*() {
          const source = yield* newSource
          const { workspaceId } = source
          const key_id = ApiKeyId.make(newUuid())
          const key = {
            key_id,
            name: "k",
            hint: "wxyz",
            scopes: ["api:read" as const],
            created_at: NOW,
            created_by: OPERATOR
          }
          const dates = { last_used_at: null, expires_at: null, revoked_at: null }
          yield* (yield* ApiKeyStore).insert(workspaceId, { ...key, ...dates }, newUuid().replaceAll("-", "").repeat(2))
          const many = Array.from(
            { length: 1_000 },
            (_, at) => item(`${at}`, `${at}`, { chunks: ["a", "b", "c"], payload: "{}" })
          )
          yield* admit(source, many)
          yield* remove(source, ["1", "2"])
          const knowledge = yield* KnowledgeStore
          yield* knowledge.putSegment(workspaceId, "segment", new Uint8Array(2 * MEGABYTE + 1).fill(7))
          const { generation, settings } = yield* knowledge.configure(workspaceId, null, newJob(workspaceId))
          const snapshot_id = newUuid() as never
          const segments = [{ segment_id: "segment", chunks: 1, bytes: 1, masked: [] }]
          const snapshot = {
            snapshot_id,
            change_seq: 1,
            chunk_seq: 0,
            generation,
            settings,
            built_at: NOW,
            watermark: null,
            segments
          }
          assert.isTrue(yield* knowledge.publish(workspaceId, snapshot, { previous: null, replaces: false, keep: 1 }))
          yield* (yield* RateWindows).take(workspaceId, "ask", { limit: 1, window_seconds: 60 })
          yield* (yield* JobStore).enqueue(newJob(workspaceId, { queue: "other" }), null)
          const sql = yield* SqlClient
          const our = (table: string) => sql(`${schema}.${table}`)
          yield* sql`INSERT INTO ${our("members")} VALUES (${workspaceId}, ${newUuid()}, 'owner', ${NOW})`
          yield* sql`INSERT INTO ${our("invitations")} VALUES
            (${newUuid()}, ${workspaceId}, ${newUuid()}, 'a@example.org', 'member', ${NOW}, '{}', ${NOW})`
          const connection = newUuid()
          yield* sql`INSERT INTO ${our("connections")} VALUES
            (${workspaceId}, ${connection}, 'feed', 'News', '{}', null, '{}', '{}', ${NOW}, '{}', 'active', null, 0)`
          yield* sql`INSERT INTO ${our("sync_states")} VALUES
            (${workspaceId}, ${connection}, 'feed', null, null, false, '{}')`
          yield* sql`INSERT INTO ${our("source_deletions")} VALUES (${workspaceId}, ${connection}, 'feed', 'feed/1')`
          yield* sql`INSERT INTO ${our("sync_runs")} VALUES
            (${workspaceId}, ${connection}, 'feed', ${newUuid()}, 'completed', ${NOW}, ${NOW}, 1, 0, 0, '{}', null, null)`
          const webhook = newUuid()
          yield* sql`INSERT INTO ${our("webhooks")} VALUES
            (${workspaceId}, ${webhook}, 'https://example.org', '[]', 'active', null, null, 0, null, '{}', null, ${NOW}, '{}',
              0, '{}', ${NOW}, 1)`
          yield* sql`INSERT INTO ${our("webhook_deliveries")} VALUES
            (${workspaceId}, ${webhook}, 1, ${newUuid()}, 'document.created', 's', '{}', ${NOW}, 'pending', 0, ${NOW}, null)`
          yield* sql`INSERT INTO ${our("questions")} VALUES
            (${workspaceId}, ${newUuid()}, 'q', true, 'extractive', '[]', 1, ${NOW}, '{}', null, null)`
          yield* sql`INSERT INTO ${our("usage_days")} VALUES (${workspaceId}, ${NOW}, 1, 1)`
          yield* sql`INSERT INTO ${our("usage_counts")} VALUES (${workspaceId}, ${NOW}, 'search', 'ok', 1, 1)`
          return workspaceId
        })
        const [home, bystander] = [yield* furnished, yield* furnished]
        const before = yield* rowsOf(schema, bystander)
        for (const [table, count] of Object.entries(before)) assert.isAbove(count, 0, table)
        yield* store.close(home, newJob(home, { queue: "erase" }))
        yield* store.erase(home)
        assert.deepStrictEqual(new Set(Object.values(yield* rowsOf(schema, home))), new Set([0]))
        assert.deepStrictEqual(yield* rowsOf(schema, bystander), before)
      }))

    it.effect("works with any column name transformation and search_path of the host's client", () =>
      Effect.gen(function*() {
        const source = yield* newSource
        yield* admit(source, [item("a", "alpha")])
        const host = pool({
          // One connection, so none is left to listen.
          maxConnections: 1,
          transformQueryNames: String.camelToSnake,
          transformResultNames: String.snakeToCamel,
          startupParameters: { search_path: "nowhere", timezone: "Asia/Kathmandu", datestyle: "SQL, DMY" }
        })
        const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(host)))
        const [document] = yield* Context.get(node, DocumentStore).scan(source.workspaceId, null, 10)
        assert.strictEqual(document?.external_id, "a")
        assert.deepStrictEqual(document?.timestamp, NOW)
      }).pipe(Effect.scoped))
  })
})
