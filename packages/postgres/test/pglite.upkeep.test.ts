import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, References, Scope } from "effect"
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

describe("the upkeep of an embedded database", () => {
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

  it.effect("reads a large table while few of its rows are dead, so that nobody waits for long", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      // A row to a page.
      yield* sql`CREATE TABLE large (n integer, body text STORAGE plain)`
      yield* sql`INSERT INTO large SELECT n, repeat('x', 5000) FROM generate_series(1, 6000) n`
      yield* sql`VACUUM large`
      const vacuums = Effect.map(
        sql<{ readonly done: number }>`SELECT vacuum_count::integer AS done FROM pg_stat_user_tables`,
        ([row]) => row?.done
      )
      const rounds = Effect.repeat(Effect.andThen(count, aWhile), { times: 2 })
      // An analysis counts the dead rows that the session has yet to tell of, and they count twice then.
      const analyzed = sql`SELECT FROM pg_stat_user_tables WHERE last_analyze IS NOT NULL`
      yield* Effect.repeat(Effect.andThen(rounds, analyzed), { until: (rows) => rows.length > 0 })
      yield* sql`DELETE FROM large WHERE n <= 40`
      expect(yield* Effect.andThen(rounds, vacuums)).toBe(1)
      yield* sql`DELETE FROM large WHERE n <= 55`
      yield* Effect.repeat(Effect.andThen(rounds, vacuums), { until: (done) => done === 2 })
    }).pipe(Effect.provide(PgliteClient.layerMemory())))

  it.effect("tells of each failure once, and goes on with the rest", () => {
    const told: Array<unknown> = []
    const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
      const { statement } = fiber.getRef(References.CurrentLogAnnotations)
      if (logLevel === "Warn") told.push([statement, ...[message].flat().filter((part) => typeof part === "string")])
    })
    return Effect.gen(function*() {
      const sql = yield* SqlClient
      yield* sql`CREATE SEQUENCE attempts`
      yield* sql`CREATE FUNCTION broken(integer) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS
        $$ BEGIN RETURN nextval('public.attempts') / current_setting('upkeep.divisor')::integer; END $$`
      yield* sql`SET upkeep.divisor = 1`
      for (const name of ["broken_one", "sound", "broken_other"]) {
        yield* sql`CREATE TABLE ${sql(name)} AS SELECT generate_series(1, 100) AS n`
      }
      yield* sql`CREATE INDEX ON broken_one (broken(n))`
      yield* sql`CREATE INDEX ON broken_other (broken(n))`
      yield* sql`SELECT setval('attempts', 1)`
      yield* sql`SET upkeep.divisor = 0`
      const attempts = sql<{ readonly made: number }>`SELECT last_value::integer AS made FROM attempts`
      yield* Effect.repeat(Effect.andThen(Effect.andThen(count, aWhile), attempts), {
        until: ([row]) => row !== undefined && row.made > 8
      })
      const known = sql`SELECT relname FROM pg_stat_user_tables WHERE last_analyze IS NOT NULL`
      expect(yield* known).toEqual([{ relname: "sound" }])
      const problem = "the embedded database's upkeep failed"
      expect(told.toSorted()).toEqual([["ANALYZE broken_one", problem], ["ANALYZE broken_other", problem]])
    }).pipe(Effect.provide(Layer.provideMerge(PgliteClient.layerMemory(), Logger.layer([logger]))))
  })

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
