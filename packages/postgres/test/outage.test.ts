import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { StorageUnavailable } from "@tributary/core/model/Error"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { AuditStore } from "@tributary/core/ports/AuditStore"
import { DocumentStore, EVERY_DOCUMENT } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Duration, Effect, Exit, Fiber, Latch, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Pool } from "pg"
import { LongestStatement } from "../src/internal/bounded.ts"
import * as NodePostgres from "../src/NodePostgres.ts"
import * as Postgres from "../src/Postgres.ts"
import { describePostgres, newSchema, pool, portsIn } from "./support/database.ts"
import { admit, item, newJob, newSource, NOW, remove } from "./support/source.ts"
import { isWaitingIn } from "./support/isWaiting.ts"
import { cuttable } from "./support/Proxy.ts"
import { databaseUrl } from "./support/testServer.ts"
import { countedIn } from "./support/truth.ts"

const schema = newSchema()

const isUnavailable = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.every((reason) => reason._tag === "Fail" && reason.error instanceof StorageUnavailable)

describePostgres("outages", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("raise StorageUnavailable while the connection is lost, and stop when it is back", () =>
      Effect.gen(function*() {
        const wire = yield* cuttable(databaseUrl ?? "")
        const client = PgClient.layer({ url: Redacted.make(wire.url), maxConnections: 4, connectTimeout: "30 seconds" })
        const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(client)))
        const source = yield* newSource
        const onNode = Effect.provideContext(node)
        const jobs = yield* onNode(JobStore)
        yield* onNode(admit(source, [item("before", "text")]))

        wire.cut()
        const acts = [
          Effect.exit(onNode(admit(source, [item("during", "text")]))),
          Effect.exit(onNode(remove(source, ["before"]))),
          Effect.exit(Effect.flatMap(onNode(WorkspaceStore), (store) => store.find(source.workspaceId))),
          Effect.exit(jobs.claim(["context"], Duration.minutes(1), NOW))
        ]
        for (const act of acts) assert.isTrue(isUnavailable(yield* act))
        const counted = yield* countedIn(schema, source.workspaceId)
        assert.strictEqual(counted.documents, 1)

        wire.mend()
        const statuses = yield* onNode(admit(source, [item("after", "text")])).pipe(
          Effect.retry(Schedule.spaced("100 millis"))
        )
        assert.deepStrictEqual(statuses, ["created"])
        // The listening connection is restored by itself, too.
        const heard = yield* Effect.forkChild(jobs.changed, { startImmediately: true })
        yield* (yield* JobStore).enqueue(newJob(source.workspaceId, { queue: "elsewhere" }), null).pipe(
          Effect.andThen(Effect.sleep("200 millis")),
          Effect.repeat({ while: () => heard.pollUnsafe() === undefined, times: 500 })
        )
        yield* Fiber.join(heard)
      }).pipe(Effect.scoped))

    const inTransactions: ReadonlyArray<{
      readonly act: string
      readonly use: (
        workspaceId: WorkspaceId
      ) => Effect.Effect<unknown, StorageUnavailable, AuditStore | DocumentStore | WorkspaceStore>
    }> = [
      {
        act: "a count",
        use: (workspaceId) =>
          Effect.flatMap(DocumentStore, (documents) => documents.countMatching(workspaceId, EVERY_DOCUMENT, 10))
      },
      {
        act: "a recorded change",
        use: (workspaceId) =>
          Effect.flatMap(
            Effect.all([AuditStore, WorkspaceStore]),
            ([audit, workspaces]) => audit.record(workspaces.update(workspaceId, { name: "Team" }), [])
          )
      }
    ]

    it.effect.each(inTransactions)(
      "raise StorageUnavailable if the connection is lost in $act, which cannot be rolled back",
      ({ use }) =>
        Effect.gen(function*() {
          const wire = yield* cuttable(databaseUrl ?? "")
          const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(pool({ url: wire.url }))))
          const { workspaceId } = yield* newSource
          const sql = yield* SqlClient.SqlClient
          const [locked, over] = [yield* Latch.make(), yield* Latch.make()]
          yield* Effect.forkScoped(sql.withTransaction(Effect.gen(function*() {
            yield* sql.unsafe(`LOCK TABLE ${schema}.documents, ${schema}.workspaces IN ACCESS EXCLUSIVE MODE`)
            yield* locked.open
            yield* over.await
          })))
          yield* locked.await
          const counted = yield* Effect.forkChild(Effect.provideContext(use(workspaceId), node))
          yield* Effect.repeat(isWaitingIn(schema), { until: (waits) => waits })
          wire.cut()
          const exit = yield* Fiber.await(counted)
          yield* over.open
          assert.isTrue(isUnavailable(exit), String(exit))
        }).pipe(Effect.scoped)
    )

    it.effect("raise StorageUnavailable while the database accepts no connections, and stop when it does", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const database = `${schema}_closed`.slice(-63)
        yield* sql.unsafe(`CREATE DATABASE "${database}"`)
        yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP DATABASE "${database}" WITH (FORCE)`)))
        const url = new URL(databaseUrl ?? "")
        url.pathname = database
        const client = pool({ url: url.href, maxConnections: 2 })
        const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(client)))
        const add = Effect.provideContext(newSource, node)
        yield* add

        yield* sql.unsafe(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS false`)
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`
        // The first ones may still find that their connection was ended.
        for (let act = 0; act < 6; act++) assert.isTrue(isUnavailable(yield* Effect.exit(add)))

        yield* sql.unsafe(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS true`)
        yield* Effect.retry(add, { schedule: Schedule.spaced("50 millis"), times: 500 })
      }).pipe(Effect.scoped))

    it.effect("cancel a statement that takes too long as unavailable, and change nothing", () =>
      Effect.gen(function*() {
        const source = yield* newSource
        const impatient = pool({
          maxConnections: 2,
          startupParameters: { statement_timeout: "60000", lock_timeout: "500" }
        })
        const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(impatient)))
        const sql = yield* SqlClient.SqlClient
        const exit = yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`SELECT 1 FROM ${
            sql(`${schema}.counters`)
          } WHERE workspace_id = ${source.workspaceId}::uuid FOR UPDATE`
          return yield* Effect.exit(admit(source, [item("a", "text")]).pipe(Effect.provideContext(node)))
        }))
        assert.isTrue(isUnavailable(exit))
        assert.deepStrictEqual(yield* (yield* DocumentStore).meters(source.workspaceId), { documents: 0, storage: 0 })
        assert.deepStrictEqual(yield* admit(source, [item("a", "text")]).pipe(Effect.provideContext(node)), ["created"])
      }).pipe(Effect.scoped))

    it.effect.each(
      [
        ["a pool of our driver", () => pool({ maxConnections: 3, applicationName: schema.slice(0, 63) })],
        ["a pool of pg", () =>
          Layer.unwrap(Effect.map(
            Effect.acquireRelease(
              Effect.sync(() => new Pool({ connectionString: databaseUrl ?? "", max: 3 })),
              (all) => Effect.promise(() => all.end())
            ),
            (all) => NodePostgres.layer(all)
          ))]
      ] as const
    )(
      "of a table that another session has locked end every statement in time, on %s",
      ([, client]) =>
        Effect.gen(function*() {
          const source = yield* newSource
          const node = yield* Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(client())))
          const sql = yield* SqlClient.SqlClient
          // More than there are connections, of callers that let nobody interrupt them.
          const acts = Effect.all(
            Array.from(
              { length: 7 },
              (_, at) => Effect.exit(Effect.uninterruptible(admit(source, [item(`${at}`, "text")])))
            ),
            { concurrency: "unbounded" }
          ).pipe(Effect.provideContext(node), Effect.provideService(LongestStatement, 300))
          const exits = yield* sql.withTransaction(Effect.gen(function*() {
            yield* sql.unsafe(`LOCK TABLE ${schema}.counters IN ACCESS EXCLUSIVE MODE`)
            return yield* acts
          }))
          assert.deepStrictEqual(exits.map(isUnavailable), exits.map(() => true))
          const again = admit(source, [item("again", "text")]).pipe(
            Effect.provideContext(node),
            Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 500 })
          )
          assert.deepStrictEqual(yield* again, ["created"])
        }).pipe(Effect.scoped)
    )

    it.effect("do not affect the next caller if the server closes the connections", () =>
      Effect.gen(function*() {
        const source = yield* newSource
        const node = yield* Layer.build(
          Postgres.layer({ schema }).pipe(Layer.provide(pool({ applicationName: schema })))
        )
        yield* admit(source, [item("a", "text")]).pipe(Effect.provideContext(node))
        const sql = yield* SqlClient.SqlClient
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${
          schema.slice(0, 63)
        }`
        const again = admit(source, [item("b", "text")]).pipe(
          Effect.provideContext(node),
          Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 500 })
        )
        assert.deepStrictEqual(yield* again, ["created"])
      }).pipe(Effect.scoped))
  })
})
