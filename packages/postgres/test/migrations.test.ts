import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Client } from "pg"
import { Database } from "../src/internal/Database.ts"
import { migrate } from "../src/internal/migrating/migrate.ts"
import { migrations } from "../src/migrations/index.ts"
import type { Migration } from "../src/migrations/Migration.ts"
import { UnsupportedDatabase } from "../src/UnsupportedDatabase.ts"
import * as Postgres from "../src/Postgres.ts"
import { describePostgres, newSchema, pool } from "./support/database.ts"
import { databaseUrl } from "./support/testServer.ts"
import RELEASED from "./support/migrations.json" with { type: "json" }

/** A node that migrates with a separate pool. */
const start = (schema: string, known: ReadonlyArray<Migration> = migrations) =>
  Effect.provide(migrate(known), Layer.provide(Database.layer(schema), pool({ maxConnections: 1 })))

/** A schema that is dropped at the end, with a separate client. */
const withSchema = <A, E>(test: (schema: string, sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const schema = newSchema()
    const sql = yield* SqlClient.SqlClient
    return yield* Effect.ensuring(
      test(schema, sql),
      Effect.orDie(sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`))
    )
  }).pipe(Effect.provide(pool({ maxConnections: 1 })))

const further = (oldestCompatible: number, statement = "SELECT 1"): Migration => ({
  name: "further",
  oldestCompatible,
  statements: () => [statement]
})

const refusal = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert.instanceOf(error, UnsupportedDatabase)
    return error instanceof UnsupportedDatabase ? error.message : ""
  })

const checksum = ({ name, oldestCompatible, statements }: Migration) => ({
  name,
  sha256: createHash("sha256").update(JSON.stringify([oldestCompatible, statements("schema")])).digest("hex")
})

it("contains every released migration unchanged, at its number", () => {
  // A new migration adds its line at the end; a line that is there never changes.
  assert.deepStrictEqual(migrations.map(checksum), RELEASED)
})

it("names in its README the file with today's version of every replaced function", () => {
  const files = new Map<string, ReadonlySet<string>>()
  for (const { name, statements } of migrations) {
    const file = `${name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())}.ts`
    for (const [, made = ""] of statements("S").join().matchAll(/CREATE (?:OR REPLACE )?FUNCTION S\.(\w+)/g)) {
      files.set(made, new Set([...files.get(made) ?? [], file]))
    }
  }
  const readme = readFileSync(new URL("../src/migrations/README.md", import.meta.url), "utf8")
  assert.deepStrictEqual(
    Array.from(readme.matchAll(/^\| `(\w+)` \| \[(\w+\.ts)\]\(\2\) \|$/gm), ([, made, file]) => [made, file]),
    [...files].filter(([, { size }]) => size > 1).toSorted().map(([made, all]) => [made, [...all].at(-1)])
  )
})

it("requires of no release what it cannot support", () => {
  for (const [index, { oldestCompatible }] of migrations.entries()) {
    assert.isAtLeast(oldestCompatible, migrations[index - 1]?.oldestCompatible ?? 1)
    assert.isAtMost(oldestCompatible, index + 1)
  }
})

it.effect("refuses a name that is not a plain identifier", () =>
  Effect.gen(function*() {
    for (const schema of ["", "Tributary", "a-b", "1a", "a\"b", "a.b", "pg_temp", "x".repeat(64)]) {
      const client = Layer.succeed(SqlClient.SqlClient, { withoutTransforms: () => undefined } as never)
      const message = yield* refusal(Effect.scoped(Layer.build(Layer.provide(Database.layer(schema), client))))
      assert.include(message, `"${schema}"`)
    }
  }))

const answering = (server: { readonly number: number; readonly version: string; readonly encoding: string }) =>
  Layer.succeed(Database, { schema: "s", our: () => undefined, sql: () => Effect.succeed([server]) } as never)

it.effect("refuses a Postgres that is too old, or cannot store all text", () =>
  Effect.gen(function*() {
    const old = { number: 140_010, version: "14.10", encoding: "UTF8" }
    assert.include(yield* refusal(Effect.provide(migrate([]), answering(old))), "14.10; version 15 or newer")
    const ascii = { number: 150_000, version: "15.0", encoding: "SQL_ASCII" }
    assert.include(yield* refusal(Effect.provide(migrate([]), answering(ascii))), "SQL_ASCII")
  }))

describePostgres("migrations", () => {
  it.live("run once if many nodes start concurrently", () =>
    withSchema((schema, sql) =>
      Effect.gen(function*() {
        const taken = yield* Effect.replicateEffect(start(schema), 6, { concurrency: "unbounded" })
        assert.deepStrictEqual(taken.toSorted((left, right) => right - left), [migrations.length, 0, 0, 0, 0, 0])
        const rows = yield* sql<{ readonly number: number; readonly name: string }>`
          SELECT number, name FROM ${sql(`${schema}.migrations`)} ORDER BY number`
        assert.deepStrictEqual(rows, migrations.map(({ name }, index) => ({ number: index + 1, name })))
      })
    ))

  it.live("leave nothing behind if one fails, and continue when it is fixed", () =>
    withSchema((schema, sql) =>
      Effect.gen(function*() {
        yield* Effect.flip(start(schema, [...migrations, further(1, "SELECT broken")]))
        const found = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
        assert.deepStrictEqual(found, [])
        const step = Postgres.layerMigrations({ schema }).pipe(Layer.provide(pool({ maxConnections: 1 })))
        yield* Effect.scoped(Layer.build(step))
        assert.strictEqual(yield* start(schema), 0)
        assert.strictEqual(yield* start(schema, [...migrations, further(1)]), 1)
      })
    ))

  it.live("say which session they wait for, let requests through meanwhile, and are taken when it has ended", () =>
    withSchema((schema, sql) =>
      Effect.gen(function*() {
        yield* start(schema, migrations)
        const lines: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
        const known = [...migrations, further(1, `ALTER TABLE "${schema}".counters ADD COLUMN further text`)]
        const nodes = pool({ maxConnections: 2 })
        const migrating = yield* Effect.scoped(Effect.gen(function*() {
          const forgotten = new Client({ connectionString: databaseUrl ?? "", application_name: "forgotten" })
          yield* Effect.acquireRelease(
            Effect.promise(() => forgotten.connect()),
            () => Effect.promise(() => forgotten.end())
          )
          const { rows: [session] } = yield* Effect.promise(() =>
            forgotten.query("SELECT pg_backend_pid() AS pid").then(async (found) => {
              await forgotten.query(`BEGIN; SELECT FROM ${schema}.counters`)
              return found
            })
          )
          const taking = Effect.provide(
            migrate(known),
            Layer.mergeAll(Layer.provide(Database.layer(schema), nodes), logger)
          )
          const migrating = yield* Effect.forkDetach(taking, { startImmediately: true })
          yield* Effect.repeat(Effect.sleep("50 millis"), { until: () => lines.length > 0 })
          const line = JSON.parse(lines[0]!)
          assert.strictEqual(line.level, "WARN")
          assert.include(line.message, "migrating waits for other sessions")
          assert.deepInclude(line.annotations.sessions[0], { pid: session.pid, application: "forgotten" })
          // It is granted once the migration has given up its place for a while.
          yield* sql.unsafe(`SELECT FROM "${schema}".counters`)
          assert.isUndefined(migrating.pollUnsafe())
          return migrating
        }))
        assert.strictEqual(yield* Fiber.join(migrating), 1)
      })
    ))

  it.live("let an older release run until one removes what it needs", () =>
    withSchema((schema) =>
      Effect.gen(function*() {
        const newer = [...migrations, further(1)]
        yield* start(schema, newer)
        assert.strictEqual(yield* start(schema), 0)
        yield* start(schema, [...newer, { ...further(migrations.length + 2), name: "taking away" }])
        const message = yield* refusal(start(schema))
        assert.include(message, "Start a newer release.")
        assert.include(
          yield* refusal(Effect.scoped(Layer.build(Postgres.layer({ schema }).pipe(Layer.provide(pool()))))),
          schema
        )
      })
    ))

  it.live("record for existing snapshots whether their bytes contain masked text", () =>
    withSchema((schema, sql) =>
      Effect.gen(function*() {
        yield* start(schema, migrations.slice(0, migrations.findIndex(({ name }) => name === "purged_snapshots")))
        const snapshots = sql(`${schema}.snapshots`)
        const add = (position: number, masked: ReadonlyArray<number>) => {
          const segments = JSON.stringify([{ segment_id: "a", chunks: 9, bytes: 9, masked: [] }, { masked, bytes: 1 }])
          return sql`INSERT INTO ${snapshots} VALUES (gen_random_uuid(), ${position}::bigint, gen_random_uuid(), 7, 0,
            '{}', '2026-03-01T00:00:00Z', NULL, ${segments}::text, '{}', 0)`
        }
        yield* add(1, [])
        yield* add(2, [3])
        yield* start(schema)
        const rows = yield* sql`SELECT purged_seq::integer, hiding_since = built_at AS since_built FROM ${snapshots}
          ORDER BY position`
        assert.deepStrictEqual(rows, [{ purged_seq: 7, since_built: null }, { purged_seq: 0, since_built: true }])
      })
    ))

  it.live("refuse a schema of other software", () =>
    withSchema((schema) =>
      Effect.gen(function*() {
        yield* start(schema, [further(1)])
        assert.include(yield* refusal(start(schema)), "Choose another schema.")
      })
    ))
})
