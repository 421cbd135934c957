/** Exports of a database, and what an import makes of them. */
import { assert, describe, it } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { QuestionStore } from "@tributary/core/ports/QuestionStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { derivedTables, transferredTables } from "@tributary/core/transfer/transferredTables"
import { Duration, Effect, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describePostgres, newSchema, portsIn } from "../../postgres/test/support/database.ts"
import { admit, furnishPeople, item, newJob, newSource, NOW } from "../../postgres/test/support/source.ts"
import { migrations } from "../src/migrations/index.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { exportStore } from "../src/StoreExport.ts"
import { importStore } from "../src/StoreImport.ts"
import { newFolder } from "./support/newFolder.ts"

const newPath = () => join(newFolder(), "tributary.db")

const exported = Effect.fnUntraced(function*(path: string) {
  const written: Array<string> = []
  const rows = yield* exportStore({ path, write: (lines) => Effect.sync(() => written.push(lines)) })
  return { rows, lines: written.join("").trimEnd().split("\n") }
})

const imported = (path: string, lines: ReadonlyArray<string>) =>
  importStore({
    path,
    lines: Stream.toAsyncIterable(Stream.fromIterable(lines)),
    buildJob: (id) => newJob(id, { queue: "build" })
  })

const within = <A, E, R>(path: string, act: Effect.Effect<A, E, R>) =>
  Effect.provide(act, Sqlite.layer({ path }), { local: true })

const schemaOf = () => {
  const database = new DatabaseSync(":memory:")
  for (const statements of migrations) database.exec(statements)
  return database
}

describe("the transferred tables", () => {
  it("are all tables of the schema, except derived ones", () => {
    const present = schemaOf().prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    assert.deepStrictEqual(
      [...transferredTables.map(({ name }) => name), ...derivedTables].filter((name) => name !== "migrations").sort(),
      present.map(({ name }) => name)
    )
  })
})

const schema = newSchema()

describePostgres("the transferred tables", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("have the same columns in both schemas", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient
        const database = schemaOf()
        const columnsOf = database.prepare("SELECT name FROM pragma_table_info(?)")
        for (const { name } of transferredTables) {
          const there = yield* sql<{ readonly column: string }>`SELECT column_name::text AS column
            FROM information_schema.columns WHERE table_name = ${name}::text AND table_schema = ${schema}::text`
          const here = columnsOf.all(name).map((row) => String(row["name"])).filter((column) => column !== "id")
          // A text names its document by number here, a payload is one row, and one clock needs no due times.
          const expected = there.map(({ column }) => column)
            .filter((column) => column !== "slice" && !(name === "jobs" && column === "due_at"))
            .map((column) =>
              column === "document_id" && name !== "documents" && name !== "events" ? "document" : column
            )
          assert.deepStrictEqual(here.sort(), expected.sort(), name)
        }
      }))
  })
})

describe("an export", () => {
  it.effect("is imported verbatim", () =>
    Effect.gen(function*() {
      const [path, copy] = [newPath(), newPath()]
      const source = yield* within(
        path,
        Effect.gen(function*() {
          const source = yield* newSource
          yield* furnishPeople(source)
          const items = Array.from({ length: 600 }, (_, at) =>
            item(`é-${at}`, `text 😀 ${at}`, {
              chunks: [`text 😀 ${at}`, "\u0000 and more"],
              payload: "{\"a\":1.0,\"b\":\"\\u0000\"}",
              timestamp: new Date(-1e12 + at),
              metadata: { __proto__x: "y" }
            }))
          yield* admit(source, items)
          return source
        })
      )
      const { lines, rows } = yield* exported(path)
      assert.deepInclude(rows, { documents: 600, chunks: 1_200, payloads: 600, events: 600, users: 1, members: 1 })
      assert.deepStrictEqual(yield* imported(copy, lines), rows)
      const again = yield* exported(copy)
      assert.deepStrictEqual(again.lines.slice(1).sort(), lines.slice(1).sort())
      const find = Effect.flatMap(DocumentStore, (documents) =>
        documents.findByExternalId(source.workspaceId, source.connectorId, "é-7"))
      assert.deepStrictEqual(yield* within(copy, find), yield* within(path, find))
    }))

  it.effect("names the moment up to which questions were deleted as Postgres does, and an import keeps it", () =>
    Effect.gen(function*() {
      const [path, copy] = [newPath(), newPath()]
      const { workspaceId } = yield* within(path, newSource)
      yield* within(
        path,
        Effect.flatMap(QuestionStore, (questions) => questions.removeBefore(workspaceId, new Date(7_000), 9))
      )
      const { lines } = yield* exported(path)
      const shown = "\"questions_deleted_before\":\"1970-01-01T00:00:07.000Z\""
      assert.strictEqual(lines.filter((line) => line.includes(shown)).length, 1)
      yield* imported(copy, lines)
      assert.strictEqual((yield* exported(copy)).lines.filter((line) => line.includes(shown)).length, 1)
    }))

  it.effect("from Postgres may hold the rows of a payload in any order", () =>
    Effect.gen(function*() {
      const [path, copy] = [newPath(), newPath()]
      const payload = JSON.stringify("abcdef")
      const source = yield* within(
        path,
        Effect.tap(newSource, (source) =>
          admit(source, [item("long", "a", { payload }), item("short", "b", { payload })]))
      )
      const { lines } = yield* exported(path)
      const sliced = lines.flatMap((line): ReadonlyArray<string> => {
        const row: Record<string, unknown> = JSON.parse(line)
        if ("product" in row || row["table"] === "payloads") {
          return [JSON.stringify({ ...row, rows: Number(row["rows"]) + 4 })]
        }
        if (row["text"] !== payload) {
          return [line]
        }
        return [[2, "ef\""], [0, "\"ab"], [1, "cd"]].map(([slice, text]) =>
          JSON.stringify({ ...row, slice, text })
        )
      })
      yield* imported(copy, sliced)
      const find = (id: string) =>
        Effect.flatMap(DocumentStore, (documents) =>
          documents.findByExternalId(source.workspaceId, source.connectorId, id))
      for (const id of ["long", "short"]) {
        assert.deepStrictEqual(yield* within(copy, find(id)), yield* within(path, find(id)))
      }
    }))

  it.effect("omits the remains of a closed workspace", () =>
    Effect.gen(function*() {
      const path = newPath()
      const closed = yield* within(
        path,
        Effect.gen(function*() {
          yield* admit(yield* newSource, [item("kept", "A badge.", { payload: "{}" })])
          const closed = yield* newSource
          yield* admit(closed, [item("closed", "A secret.", { payload: "{}" })])
          yield* (yield* WorkspaceStore).close(closed.workspaceId, newJob(closed.workspaceId, { created_at: NOW }))
          return closed
        })
      )
      const { lines, rows } = yield* exported(path)
      assert.notInclude(lines.join(), closed.workspaceId)
      assert.notInclude(lines.join(), "A secret.")
      assert.deepInclude(rows, { workspaces: 1, connectors: 1, documents: 1, chunks: 1, payloads: 1, events: 1 })
    }))

  it.effect("includes acknowledged jobs, and queues a build of every workspace", () =>
    Effect.gen(function*() {
      const [path, copy] = [newPath(), newPath()]
      const { answered, refresh, workspaceId } = yield* within(
        path,
        Effect.gen(function*() {
          const { workspaceId } = yield* newSource
          const jobs = yield* JobStore
          const [answered, refresh] = [newJob(workspaceId, { queue: "ask" }), newJob(workspaceId)]
          yield* jobs.enqueue(answered, null)
          const { lease } = Option.getOrThrow(yield* jobs.claim(["ask"], Duration.seconds(30), NOW))
          yield* jobs.finish(answered.job_id, lease, { _tag: "Succeeded", result: "{}" }, NOW)
          yield* jobs.enqueue(refresh, null)
          return { answered, refresh, workspaceId }
        })
      )
      yield* imported(copy, (yield* exported(path)).lines)
      yield* within(
        copy,
        Effect.gen(function*() {
          const jobs = yield* JobStore
          const kept = Option.getOrThrow(yield* jobs.find(workspaceId, "ask", answered.job_id))
          assert.strictEqual(kept.status, "succeeded")
          assert.isTrue(Option.isNone(yield* jobs.find(workspaceId, "context", refresh.job_id)))
          const page = { status: null, after: null, limit: 9 }
          assert.strictEqual((yield* jobs.list(workspaceId, "build", page)).length, 1)
        })
      )
    }))

  it.effect("is not imported into a store with data, nor in part", () =>
    Effect.gen(function*() {
      const [path, copy] = [newPath(), newPath()]
      yield* within(path, Effect.flatMap(newSource, (source) => admit(source, [item("a", "a")])))
      const { lines } = yield* exported(path)
      assert.include((yield* Effect.flip(imported(path, lines))).message, "The store is not empty")
      const unfit = lines.map((line) => line.replace("\"size\":1", "\"size\":\"many\""))
      assert.include((yield* Effect.flip(imported(copy, unfit))).message, "holds what no store has")
      assert.deepInclude(yield* imported(copy, lines), { documents: 1 })
    }))

  it.effect("is not imported if its parts do not fit together", () =>
    Effect.gen(function*() {
      const [path, copy] = [newPath(), newPath()]
      yield* within(path, Effect.flatMap(newSource, (source) => admit(source, [item("a", "a")])))
      const { lines: [head = "", ...lines] } = yield* exported(path)
      const empty = (table: string, column: string) => JSON.stringify({ table, columns: [column], rows: 0 })
      const unfitting = [
        [head, ...lines.slice(0, -1)],
        [head.replace(/"rows":\d+/, "\"rows\":99"), ...lines],
        [head, ...lines, empty("accounts", "account_id")],
        [head, ...lines, empty("nothing", "account_id")],
        [head, ...lines.map((line) => line.replace("\"columns\":[", "\"columns\":[\"id) --\","))]
      ]
      for (const file of unfitting) {
        assert.include((yield* Effect.flip(imported(copy, file))).message, "its parts do not fit together")
      }
      assert.deepInclude(yield* imported(copy, [head, ...lines]), { documents: 1 })
    }))
})
