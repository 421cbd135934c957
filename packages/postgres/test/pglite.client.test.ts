import { Cause, Deferred, Effect, Exit, Fiber, Stream } from "effect"
import * as Client from "effect/sql/SqlClient"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { expect, layer } from "@effect/vitest"
import { PgliteClient, QueryPriority } from "../src/pglite/index.ts"

let tables = 0
/** A table of its own for each test. */
const makeTable = Effect.gen(function*() {
  const sql = yield* SqlClient
  const name = `t${++tables}`
  yield* sql`CREATE TABLE ${sql(name)} (id int PRIMARY KEY, body text)`
  const ids = Effect.map(
    sql<{ id: number }>`SELECT id FROM ${sql(name)} ORDER BY id`,
    (rows) => rows.map(({ id }) => id)
  )
  const insert = (id: number) => sql`INSERT INTO ${sql(name)} VALUES (${id}, 'x')`
  return { sql, table: sql(name), ids, insert }
})

const failed = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flip(effect)

layer(PgliteClient.layerMemory(), { timeout: "1 minute" })("PgliteClient", (it) => {
  it.effect("names its driver, and the Postgres that the data directory's format counts on", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      expect(sql.driver).toBe("pglite")
      expect(yield* sql`SELECT current_setting('server_version_num')::int / 10000 AS major`).toEqual([{ major: 18 }])
    }))

  it.effect("gives columns as @effect/sql-pg does", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const [row] =
        yield* sql`SELECT 9007199254740993::int8 AS big, count(*) AS many, 7::int4 AS small, 1.50::numeric AS exact,
        0.5::float8 AS real, true AS yes, '2026-02-03'::date AS day, '2026-02-03T04:05:06.789+02'::timestamptz AS at,
        '2026-02-03 04:05:06'::timestamp AS wall, '\\x00ff10'::bytea AS bytes, '{"a":[1,null]}'::jsonb AS json,
        '3c1f0b0e-8f5e-4b0a-9c7d-2f1f2b7a0b01'::uuid AS id, NULL AS nothing`
      expect(row).toEqual({
        big: 9007199254740993n,
        many: 1n,
        small: 7,
        exact: "1.50",
        real: 0.5,
        yes: true,
        day: "2026-02-03",
        at: new Date("2026-02-03T02:05:06.789Z"),
        wall: new Date("2026-02-03T04:05:06Z"),
        bytes: Uint8Array.of(0, 255, 16),
        json: { a: [1, null] },
        id: "3c1f0b0e-8f5e-4b0a-9c7d-2f1f2b7a0b01",
        nothing: null
      })
      expect(row?.bytes?.constructor).toBe(Uint8Array)
    }))

  it.effect("gives moments as they are, however old or far ahead", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const moment = (text: string) =>
        Effect.map(sql<{ at: Date }>`SELECT ${text}::timestamptz AS at`, ([row]) => row?.at.getTime())
      for (
        const text of [
          "0001-01-01T00:00:00.000Z",
          "0099-12-31T23:59:59.999Z",
          "1899-12-31T23:59:59.999Z",
          "9999-12-31T23:59:59.999Z"
        ]
      ) {
        expect(yield* moment(text)).toBe(Date.parse(text))
      }
      expect(yield* moment("10000-01-01 00:00:00+05:30")).toBe(Date.parse("+010000-01-01T00:00:00+05:30"))
      expect(yield* moment("0044-03-15 12:00:00+00 BC")).toBe(Date.parse("-000043-03-15T12:00:00Z"))
      expect(yield* moment("2026-01-01 00:00:00.000999+00")).toBe(Date.parse("2026-01-01T00:00:00Z"))
      expect(yield* moment("infinity")).toBeNaN()
    }))

  it.effect("gives arrays of them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const rows = yield* sql`SELECT '{1,NULL}'::int8[] AS big, '{a,"b,\\"c",NULL,"NULL"}'::text[] AS texts,
        '{2026-02-03}'::date[] AS days, '{{1,2},{3,4}}'::int4[] AS grid, '{}'::text[] AS none`
      expect(rows).toEqual([{
        big: [1n, null],
        texts: ["a", "b,\"c", null, "NULL"],
        days: ["2026-02-03"],
        grid: [[1, 2], [3, 4]],
        none: []
      }])
    }))

  it.effect("takes parameters of every kind and hands them back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const text = "\ufeffemoji 🦊, quote ' \" \\, right-to-left \u202eabc, new\nline"
      const at = new Date("2026-01-02T03:04:05.678Z")
      const bytes = Buffer.from("pooled bytes")
      const rows =
        yield* sql`SELECT ${text}::text AS text, ${7n}::int8 AS big, ${1.5}::float8 AS real, ${false}::bool AS no,
        ${at}::timestamptz AS at, ${bytes}::bytea AS bytes, ${null}::text AS nothing, ${[
          1n,
          null,
          -3n
        ]}::int8[] AS bigs,
        ${["a,b", "{}", "\"", null, "NULL", ""]}::text[] AS texts, ${JSON.stringify({ a: 1 })}::jsonb AS json,
        ${[{ b: 2 }, { c: "\"" }].map((value) => JSON.stringify(value))}::jsonb[] AS jsons`
      expect(rows).toEqual([{
        text,
        big: 7n,
        real: 1.5,
        no: false,
        at,
        bytes: new Uint8Array(bytes),
        nothing: null,
        bigs: [1n, null, -3n],
        texts: ["a,b", "{}", "\"", null, "NULL", ""],
        json: { a: 1 },
        jsons: [{ b: 2 }, { c: "\"" }]
      }])
    }))

  it.effect("refuses what a Postgres server would refuse, and goes on", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const reason = (query: Effect.Effect<unknown, SqlError>) => Effect.map(failed(query), (error) => error.reason)
      expect(yield* reason(sql`SELECT ${{ plain: "object" } as unknown as string}::jsonb`)).toMatchObject({
        _tag: "UnknownError"
      })
      expect(yield* reason(sql`SELECT 1; SELECT 2`)).toMatchObject({ _tag: "SqlSyntaxError" })
      expect(yield* reason(sql`SELECT * FROM nowhere`)).toMatchObject({ _tag: "SqlSyntaxError" })
      expect(yield* reason(sql`SELECT ${"nul \0"}::text`)).toMatchObject({ _tag: "UnknownError" })
      expect(yield* reason(sql`SELECT 1 / ${0}::int`)).toMatchObject({ _tag: "UnknownError" })
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    }))

  it.effect("tells a unique violation, with its constraint, from other broken constraints", () =>
    Effect.gen(function*() {
      const { sql, table, insert } = yield* makeTable
      yield* insert(1)
      const unique = yield* failed(insert(1))
      expect(unique.reason).toMatchObject({ _tag: "UniqueViolation", constraint: `t${tables}_pkey` })
      expect(unique.isRetryable).toBe(false)
      const missing = yield* failed(sql`INSERT INTO ${table} VALUES (NULL, 'x')`)
      expect(missing).toMatchObject({ reason: { _tag: "ConstraintError" } })
    }))

  it.effect("compiles inserts, updates and lists", () =>
    Effect.gen(function*() {
      const { sql, table } = yield* makeTable
      yield* sql`INSERT INTO ${table} ${sql.insert([{ id: 1, body: "a" }, { id: 2, body: "b" }])}`
      yield* sql`UPDATE ${table} AS t SET body = v.body FROM ${sql.updateValues([{ id: 2, body: "c" }], "v")}
        WHERE t.id = v.id::int`.pipe(Effect.ignore)
      yield* sql`UPDATE ${table} SET ${sql.update({ body: "d" })} WHERE ${sql.in("id", [1])}`
      expect(yield* sql`SELECT body FROM ${table} ORDER BY id`.values).toEqual([["d"], ["c"]])
    }))

  it.effect("streams", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const rows = yield* Stream.runCollect(sql<{ n: number }>`SELECT generate_series(1, 1000) AS n`.stream)
      expect(rows.length).toBe(1000)
      expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    }))

  it.effect("commits, and rolls back on failure", () =>
    Effect.gen(function*() {
      const { sql, ids, insert } = yield* makeTable
      expect(yield* sql.withTransaction(Effect.as(insert(1), "done"))).toBe("done")
      yield* failed(sql.withTransaction(Effect.andThen(insert(2), Effect.fail("no"))))
      expect(yield* ids).toEqual([1])
    }))

  it.effect("nests transactions as savepoints", () =>
    Effect.gen(function*() {
      const { sql, ids, insert } = yield* makeTable
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* insert(1)
        yield* Effect.ignore(sql.withTransaction(Effect.andThen(insert(2), insert(1))))
        yield* sql.withTransaction(insert(3))
      }))
      expect(yield* ids).toEqual([1, 3])
    }))

  it.effect("fails the commit of a transaction that was aborted inside", () =>
    Effect.gen(function*() {
      const { sql, ids, insert } = yield* makeTable
      const error = yield* failed(
        sql.withTransaction(Effect.andThen(insert(1), Effect.ignore(sql`SELECT 1 / 0`)))
      )
      expect(error.message).toContain("COMMIT rolled back")
      expect(yield* ids).toEqual([])
    }))

  it.effect("begins as it is told to", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const level = yield* sql.withTransaction(sql`SELECT current_setting('transaction_isolation') AS level`).pipe(
        Effect.provideService(Client.BeginTransaction, "BEGIN ISOLATION LEVEL SERIALIZABLE")
      )
      expect(level).toEqual([{ level: "serializable" }])
    }))

  it.effect("lets parallel transactions queue, so that none loses an update", () =>
    Effect.gen(function*() {
      const { sql, table, insert } = yield* makeTable
      yield* insert(1)
      yield* sql`UPDATE ${table} SET body = '0'`
      const increment = sql.withTransaction(Effect.gen(function*() {
        const [row] = yield* sql<{ body: string }>`SELECT body FROM ${table}`
        yield* Effect.yieldNow
        yield* sql`UPDATE ${table} SET body = ${String(Number(row?.body) + 1)}`
      }))
      yield* Effect.all(Array.from({ length: 25 }, () => increment), { concurrency: "unbounded" })
      expect(yield* sql`SELECT body FROM ${table}`).toEqual([{ body: "25" }])
    }))

  it.effect("keeps a plain query out of another fiber's transaction", () =>
    Effect.gen(function*() {
      const { sql, ids, insert } = yield* makeTable
      const inside = yield* Effect.forkChild(
        Effect.ignore(sql.withTransaction(
          Effect.andThen(Effect.andThen(insert(1), Effect.yieldNow), Effect.fail("rolled back"))
        )),
        { startImmediately: true }
      )
      yield* insert(2)
      yield* Fiber.join(inside)
      expect(yield* ids).toEqual([2])
    }))

  it.effect("returns at once when interrupted, and lets nobody in before the query has ended", () =>
    Effect.gen(function*() {
      const { sql, table, ids, insert } = yield* makeTable
      const slow = yield* Effect.forkChild(
        sql`INSERT INTO ${table} SELECT 1, pg_sleep(0.3)::text`,
        { startImmediately: true }
      )
      yield* Fiber.interrupt(slow)
      expect(yield* ids).toEqual([1])
      yield* insert(2)
    }))

  it.effect("rolls back an interrupted transaction", () =>
    Effect.gen(function*() {
      const { sql, ids, insert } = yield* makeTable
      const inserted = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        sql.withTransaction(Effect.gen(function*() {
          yield* insert(1)
          yield* Deferred.succeed(inserted, undefined)
          yield* sql`SELECT pg_sleep(0.2)`
        }))
      )
      yield* Deferred.await(inserted)
      const waiting = yield* Effect.forkChild(insert(2), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(slow)
      const exit = yield* Fiber.await(slow)
      expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
      expect(yield* ids).toEqual([])
      yield* insert(3)
      expect(yield* ids).toEqual([3])
    }))

  it.effect("runs what waits for a commit after it, and not after a rollback", () =>
    Effect.gen(function*() {
      const { sql, ids, insert } = yield* makeTable
      const seen: Array<ReadonlyArray<number>> = []
      const look = sql.afterCommit(Effect.orDie(Effect.map(ids, (now) => void seen.push(now))))
      yield* sql.withTransaction(Effect.andThen(insert(1), look))
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(look, Effect.fail("no"))))
      expect(seen).toEqual([[1]])
    }))

  it.effect("hears a notification at the commit", () =>
    Effect.scoped(Effect.gen(function*() {
      const pg = yield* PgliteClient.PgliteClient
      const heard = yield* pg.listen("wake \"up\"")
      yield* Effect.ignore(pg.withTransaction(Effect.andThen(pg.notify("wake \"up\"", "never"), Effect.fail("no"))))
      yield* pg.withTransaction(pg.notify("wake \"up\"", "now"))
      expect(yield* Stream.runHead(Stream.fromQueue(heard))).toMatchObject({
        value: { channel: "wake \"up\"", payload: "now" }
      })
      expect((yield* failed(pg.notify("x".repeat(64), ""))).message).toContain("63 UTF-8 bytes")
    })))

  it.effect("serves those who say that they go first", () =>
    Effect.gen(function*() {
      const { sql, insert } = yield* makeTable
      const order: Array<string> = []
      const run = (name: string, priority: "first" | "normal") =>
        Effect.forkChild(
          Effect.tap(sql`SELECT 1`, () => Effect.sync(() => order.push(name))).pipe(
            Effect.provideService(QueryPriority, priority)
          ),
          { startImmediately: true }
        )
      const holder = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(insert(1), sql`SELECT pg_sleep(0.05)`)),
        { startImmediately: true }
      )
      const waiting = [yield* run("page", "normal"), yield* run("key", "first")]
      yield* Fiber.joinAll([holder, ...waiting])
      expect(order).toEqual(["key", "page"])
    }))
})
