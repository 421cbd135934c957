import { assert, it } from "@effect/vitest"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import { ApiKeyId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { AuditStore, EVERY_ENTRY } from "@tributary/core/ports/AuditStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore, type NewJob } from "@tributary/core/ports/JobStore"
import { PeopleStore } from "@tributary/core/ports/PeopleStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Duration, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { derivedTables, transferredTables } from "@tributary/core/transfer/transferredTables"
import * as Postgres from "../src/Postgres.ts"
import { exportStore } from "../src/StoreExport.ts"
import { importStore } from "../src/StoreImport.ts"
import { describePostgres, dropped, newSchema, pool, portsIn } from "./support/database.ts"
import { databaseUrl } from "./support/testServer.ts"
import { admit, furnishPeople, item, newJob, newSource, NOW, remove } from "./support/source.ts"

const schema = newSchema()
const elsewhere = newSchema()
const other = newSchema()
const whole = newSchema()

const store = Layer.merge(
  portsIn(schema),
  Layer.provide(Layer.mergeAll(dropped(elsewhere), dropped(other), dropped(whole)), pool())
)

describePostgres("an export", () => {
  it.layer(store, { excludeTestServices: true })((it) => {
    it.effect("has every table of the schema, except derived ones", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient
        const present = yield* sql<{ readonly name: string }>`SELECT table_name::text AS name
          FROM information_schema.tables WHERE table_schema = ${schema}`
        assert.deepStrictEqual(
          [...transferredTables.map(({ name }) => name), ...derivedTables].sort(),
          present.map(({ name }) => name).sort()
        )
      }))

    it.effect("omits the remains of a closed workspace", () =>
      Effect.gen(function*() {
        const kept = yield* newSource
        yield* admit(kept, [item("kept", "A badge.", { payload: "{}" })])
        const closed = yield* newSource
        yield* admit(closed, [item("closed", "A secret.", { payload: "{}" })])
        yield* (yield* WorkspaceStore).close(closed.workspaceId, newJob(closed.workspaceId, { created_at: NOW }))
        const lines: Array<string> = []
        const exported = yield* exportStore({ schema, write: (text) => Effect.sync(() => lines.push(text)) })
        assert.notInclude(lines.join(""), closed.workspaceId)
        assert.notInclude(lines.join(""), "A secret.")
        assert.include(lines.join(""), "A badge.")
        assert.deepInclude(exported, { workspaces: 1, connectors: 1, documents: 1, chunks: 1, payloads: 1, events: 1 })
      }))

    it.effect("may hold a payload in one row, however long", () =>
      Effect.gen(function*() {
        const source = yield* newSource
        const payload = JSON.stringify("日".repeat(6_000_000))
        const sent = item("long", "a", { payload })
        yield* admit(source, [sent])
        const written: Array<string> = []
        yield* exportStore({ schema, write: (text) => Effect.sync(() => written.push(text)) })
        const isSlice = (line: string) => line.includes(`"document_id":"${sent.document_id}","slice":`)
        const lines = written.join("").trimEnd().split("\n")
        const fewer = lines.filter(isSlice).length - 1
        const inOne = lines.flatMap((line) => {
          if (isSlice(line)) {
            const row = JSON.parse(line)
            return row.slice === 0 ? [JSON.stringify({ ...row, text: payload })] : []
          }
          const isCounted = line.startsWith("{\"product\"") || line.startsWith("{\"table\":\"payloads\"")
          return [isCounted ? line.replace(/"rows":(\d+)/, (_, rows) => `"rows":${Number(rows) - fewer}`) : line]
        })
        const there = yield* Layer.build(Postgres.layer({ schema: whole }))
        yield* importStore({
          schema: whole,
          lines: Stream.toAsyncIterable(Stream.fromIterable(inOne)),
          buildJob: (id) => newJob(id)
        })
        const find = Effect.flatMap(DocumentStore, (documents) => documents.find(source.workspaceId, sent.document_id))
        const found = Option.getOrThrow(yield* Effect.provide(find, there))
        assert.isTrue(found.payload === payload)
        yield* remove(source, ["long"])
      }))

    it.effect("includes pending and finished questions and deletions, and no jobs of the context", () =>
      Effect.gen(function*() {
        const { workspaceId } = yield* newSource
        const jobs = yield* JobStore
        const answered = newJob(workspaceId, { queue: "ask" })
        yield* jobs.enqueue(answered, null)
        const { lease } = Option.getOrThrow(yield* jobs.claim(["ask"], Duration.seconds(30), NOW))
        yield* jobs.finish(answered.job_id, lease, { _tag: "Succeeded", result: "{}" }, NOW)
        const running = newJob(workspaceId, { queue: "maintenance" })
        yield* jobs.enqueue(running, null)
        yield* jobs.claim(["maintenance"], Duration.seconds(30), NOW)
        const waiting = newJob(workspaceId, { queue: "ask" })
        yield* jobs.enqueue(waiting, null)
        const refresh = newJob(workspaceId, { queue: "context" })
        yield* jobs.enqueue(refresh, null)

        const written: Array<string> = []
        yield* exportStore({ schema, write: (text) => Effect.sync(() => written.push(text)) })
        const there = yield* Layer.build(Postgres.layer({ schema: elsewhere }))
        const lines = Stream.toAsyncIterable(Stream.fromIterable(written.join("").trimEnd().split("\n")))
        yield* importStore({ schema: elsewhere, lines, buildJob: (id) => newJob(id, { queue: "build" }) })
        const status = Effect.fnUntraced(function*({ job_id, queue }: NewJob) {
          return Option.map(yield* (yield* JobStore).find(workspaceId, queue, job_id), ({ status }) => status)
        })
        const arrived = Effect.forEach([answered, running, waiting, refresh], status)
        assert.deepStrictEqual(yield* Effect.provide(arrived, there), [
          Option.some("succeeded"),
          Option.some("running"),
          Option.some("queued"),
          Option.none()
        ])
      }))

    it.effect("includes people with their roles, invitations and the audit log, but no credentials", () =>
      Effect.gen(function*() {
        const source = yield* newSource
        const { accountId, workspaceId } = source
        const owner = yield* furnishPeople(source)
        const written: Array<string> = []
        const exported = yield* exportStore({ schema, write: (text) => Effect.sync(() => written.push(text)) })
        assert.deepInclude(exported, { users: 1, members: 1, invitations: 1, audit_log: 1 })

        const there = yield* Layer.build(Postgres.layer({ schema: other }))
        const lines = Stream.toAsyncIterable(Stream.fromIterable(written.join("").trimEnd().split("\n")))
        yield* importStore({ schema: other, lines, buildJob: (id) => newJob(id) })
        const seen = Effect.gen(function*() {
          const [people, audit] = [yield* PeopleStore, yield* AuditStore]
          return [
            yield* people.membership(owner.user_id, workspaceId),
            yield* people.members(workspaceId, { after: null, limit: 9 }),
            yield* people.invitations(workspaceId, NOW),
            yield* audit.list(accountId, { workspaceId: null, selection: EVERY_ENTRY, after: null, limit: 9 })
          ]
        })
        assert.deepStrictEqual(yield* Effect.provide(seen, there), yield* seen)
        const sql = yield* SqlClient
        const left = yield* sql.unsafe(`SELECT (SELECT count(*) FROM "${other}".sessions)::integer
          + (SELECT count(*) FROM "${other}".sign_in_links)::integer AS count`)
        assert.deepStrictEqual(left, [{ count: 0 }])
      }))

    it.effect("is the same whatever the settings of the database, such as its time zone", () =>
      Effect.gen(function*() {
        const source = yield* newSource
        yield* admit(source, [item("old", "A letter.", { timestamp: new Date("0001-01-01") })])
        const key: ApiKey = {
          key_id: ApiKeyId.make(crypto.randomUUID()),
          name: "Laptop",
          hint: "wxyz",
          scopes: ["api:read"],
          created_at: NOW,
          created_by: OPERATOR,
          last_used_at: null,
          expires_at: null,
          revoked_at: null
        }
        yield* (yield* ApiKeyStore).insert(source.workspaceId, key, "ab".repeat(32))
        const exported = Effect.gen(function*() {
          const written: Array<string> = []
          yield* exportStore({ schema, write: (text) => Effect.sync(() => written.push(text)) })
          return written.join("").split("\n").slice(1)
        })
        const options = "-c timezone=America/St_Johns -c bytea_output=escape -c extra_float_digits=0"
        const url = `${databaseUrl}${databaseUrl!.includes("?") ? "&" : "?"}options=${encodeURIComponent(options)}`
        const elsewhere = yield* Effect.provide(exported, pool({ url }))
        assert.deepStrictEqual(elsewhere, yield* exported)
        assert.include(elsewhere.join("\n"), `"timestamp":"0001-01-01T00:00:00+00:00"`)
        assert.include(elsewhere.join("\n"), "ab".repeat(32))
      }))
  })
})
