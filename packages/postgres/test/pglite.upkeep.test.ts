import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as Postgres from "../src/Postgres.ts"
import { PgliteClient, QueryPriority } from "../src/pglite/index.ts"
import { admit, item, newSource } from "./support/source.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-upkeep-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
const newDirectory = () => join(root, String(++directories))

const megabytes = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 2 ** 20

/** Time for a round of upkeep. It goes on while the database answers others. */
const aWhile = TestClock.adjust("10 seconds")

/** What was counted is seen at once, and not within a second. */
const count = Effect.flatMap(SqlClient, (sql) => sql`SELECT pg_stat_force_next_flush()::text`)

describe("the upkeep of an embedded database", { timeout: 120_000 }, () => {
  it.effect("bounds the space of documents that are replaced again and again", () => {
    const directory = newDirectory()
    const files = () => megabytes(join(directory, "database", "base"))
    return Effect.gen(function*() {
      const source = yield* newSource
      const replace = (round: number) =>
        admit(
          source,
          Array.from({ length: 100 }, (_, at) => {
            const bytes = crypto.getRandomValues(new Uint8Array(3_000))
            const chunks = [Buffer.from(bytes).toString("hex"), "short"]
            return item(`document ${at}`, `${at} in ${round}`, { chunks })
          })
        ).pipe(Effect.andThen(count), Effect.andThen(aWhile))
      for (let round = 0; round < 5; round++) yield* replace(round)
      const early = files()
      for (let round = 5; round < 50; round++) yield* replace(round)
      expect(files() - early).toBeLessThan(8)
    }).pipe(
      Effect.provide(Layer.provideMerge(Postgres.layer(), PgliteClient.layer({ dataDir: directory, fsync: false })))
    )
  })

  it.effect("bounds the log of what was written", () => {
    const directory = newDirectory()
    return Effect.gen(function*() {
      const sql = yield* SqlClient
      for (let written = 0; written < 480; written += 16) {
        yield* sql`SELECT pg_logical_emit_message(false, 'test', repeat('x', ${2 ** 24}))::text`
        yield* aWhile
      }
      expect(megabytes(join(directory, "database", "pg_wal"))).toBeLessThan(240)
    }).pipe(Effect.provide(PgliteClient.layer({ dataDir: directory, fsync: false })))
  })

  it.effect("lets the planner know what the tables hold", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE known AS SELECT 1 AS same FROM generate_series(1, 1000)`
      const distinct = sql`SELECT n_distinct FROM pg_stats WHERE tablename = 'known'`
      expect(yield* distinct).toEqual([])
      yield* Effect.andThen(count, aWhile)
      const found = yield* Effect.repeat(distinct, { until: (rows) => rows.length > 0 })
      expect(found).toEqual([{ n_distinct: 1 }])
    }).pipe(Effect.provide(PgliteClient.layerMemory())))

  it.effect("answers lookups between its statements", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const names = Array.from({ length: 10 }, (_, at) => `emptied_${at}`)
      for (const name of names) {
        yield* sql`CREATE TABLE ${sql(name)} AS SELECT generate_series(1, 1000)`
        yield* sql`DELETE FROM ${sql(name)}`
      }
      const vacuumed = Effect.map(
        sql<{ readonly done: number }>`SELECT count(last_vacuum)::integer AS done FROM pg_stat_user_tables`,
        ([row]) => row?.done ?? 0
      ).pipe(Effect.provideService(QueryPriority, "first"))
      yield* Effect.andThen(count, aWhile)
      let answeredAmid = 0
      for (let done = 0; done < names.length; done = yield* vacuumed) if (done > 0) answeredAmid++
      expect(answeredAmid).toBeGreaterThan(1)
    }).pipe(Effect.provide(PgliteClient.layerMemory())))

  it.effect("ends with the database, which keeps every row", () => {
    const database = PgliteClient.layer({ dataDir: newDirectory(), fsync: false })
    return Effect.gen(function*() {
      const scope = yield* Scope.make()
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE t AS SELECT n, repeat('x', 500) AS body FROM generate_series(1, 20000) n`
        yield* sql`DELETE FROM t WHERE n % 2 = 0`
        yield* Effect.andThen(count, aWhile)
        // The look at what is due comes before this one, and the upkeep after it.
        yield* sql`SELECT 1`
      }).pipe(Effect.provide(yield* Layer.buildWithScope(database, scope)))
      yield* Scope.close(scope, Exit.void)
      const rows = Effect.flatMap(SqlClient, (sql) => sql`SELECT count(*) FROM t`)
      expect(yield* Effect.provide(rows, database)).toEqual([{ count: 10_000n }])
    })
  })
})
