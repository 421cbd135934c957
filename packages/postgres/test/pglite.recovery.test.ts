import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, fsyncSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { PGlite } from "@electric-sql/pglite"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { DataDirectoryInUse, PgliteClient } from "../src/pglite/index.ts"
import { durability, DurableFiles } from "../src/pglite/internal/DurableFiles.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-recovery-"))
const template = join(root, "template")
const children = new Set<ChildProcess>()

let directories = 0
/** A data directory with an empty table `t`, for the price of a copy. */
const prepared = () => {
  const path = join(root, String(++directories))
  cpSync(template, path, { recursive: true })
  return path
}

const open = (dataDir: string, options: PgliteClient.QueryOptions & PgliteClient.DurabilityOptions = {}) =>
  PgliteClient.layer({ dataDir, ...options })

beforeAll(() =>
  Effect.runPromise(
    Effect.flatMap(SqlClient, (sql) => sql`CREATE TABLE t (id int PRIMARY KEY)`).pipe(Effect.provide(open(template)))
  )
)

afterAll(() => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(root, { recursive: true, force: true })
})

const startWriter = (dataDir: string) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("pglite.writer.ts", import.meta.url)), dataDir], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  children.add(child)
  const exited = once(child, "exit")
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { child, exited, line: async (): Promise<string> => String((await lines.next()).value) }
}

const failed = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.flip(effect)

/** Until the database is back. Each attempt waits by itself. */
const patiently = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.retry(effect, { while: (error) => error.isRetryable })

describe("an embedded database on disk", () => {
  it.effect("keeps what it was given, and waits for the disk unless told not to", () =>
    Effect.gen(function*() {
      const path = prepared()
      const setting = (fsync?: boolean) =>
        Effect.flatMap(SqlClient, (sql) =>
          sql`SELECT current_setting('fsync') AS fsync, (SELECT count(*) FROM t) AS rows`)
          .pipe(Effect.provide(open(path, fsync === undefined ? {} : { fsync })))
      yield* Effect.flatMap(SqlClient, (sql) =>
        sql`INSERT INTO t VALUES (1)`).pipe(Effect.provide(open(path)))
      expect(yield* setting()).toEqual([{ fsync: "on", rows: 1n }])
      expect(yield* setting(false)).toEqual([{ fsync: "off", rows: 1n }])
    }))

  it.effect("asks the disk before a commit is acknowledged, and acknowledges nothing when the disk fails", () =>
    Effect.promise(async () => {
      let synced = 0
      let isSound = true
      const files = new DurableFiles(join(prepared(), "database"), (descriptor) => {
        if (!isSound) throw new Error("the disk is gone")
        synced++
        fsyncSync(descriptor)
      })
      const database = await PGlite.create({ fs: files, startParams: durability(PGlite.defaultStartParams, true) })
      const before = synced
      for (const id of [1, 2, 3]) await database.query("INSERT INTO t VALUES ($1)", [id])
      expect(synced - before).toBeGreaterThanOrEqual(3)
      isSound = false
      await expect(database.query("INSERT INTO t VALUES (4)")).rejects.toMatchObject({ severity: "PANIC" })
    }))

  it.effect("is refused to a second process, which says who has it", () =>
    Effect.gen(function*() {
      const path = prepared()
      const first = startWriter(path)
      expect(yield* Effect.promise(first.line)).toBe("open")
      const second = startWriter(path)
      const sentence = `The data directory ${path} is in use by another process (pid ${first.child.pid}). ` +
        "Stop it first, or choose another data directory."
      expect(yield* Effect.promise(second.line)).toBe(sentence)
      expect(yield* Effect.promise(() => second.exited)).toEqual([1, null])
      const here = yield* failed(Effect.provide(SqlClient, open(path)))
      expect(here).toBeInstanceOf(DataDirectoryInUse)
      expect(here.message).toBe(sentence)
      first.child.kill("SIGKILL")
      yield* Effect.promise(() => first.exited)
      yield* Effect.provide(SqlClient, open(path))
    }))

  it.effect("holds every row that was acknowledged before kill -9", () =>
    Effect.gen(function*() {
      const path = prepared()
      let acknowledged = 0
      for (const round of [1, 2]) {
        const writer = startWriter(path)
        expect(yield* Effect.promise(writer.line)).toBe("open")
        // The writer counts from 1 again: its first insert of the second round is a duplicate and ends it.
        if (round === 2) {
          expect(yield* Effect.promise(writer.line)).toContain("duplicate key")
          break
        }
        while (acknowledged < 300) acknowledged = Number(yield* Effect.promise(writer.line))
        writer.child.kill("SIGKILL")
        yield* Effect.promise(() => writer.exited)
        const rows = yield* Effect.flatMap(SqlClient, (sql) => sql<{ n: number }>`SELECT n FROM written ORDER BY n`)
          .pipe(Effect.provide(open(path)))
        expect(rows.length).toBeGreaterThanOrEqual(acknowledged)
        expect(rows.map(({ n }) => n)).toEqual(rows.map((_, index) => index + 1))
      }
    }))

  it.effect("answers at the deadline when a query hangs, and comes back with everything committed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      yield* patiently(sql`INSERT INTO t VALUES (1)`)
      const stuck = yield* failed(sql`SELECT pg_sleep(3600)`)
      expect(stuck).toMatchObject({ reason: { _tag: "StatementTimeoutError" } })
      expect(stuck.isRetryable).toBe(true)
      expect(yield* patiently(sql`SELECT id FROM t`)).toEqual([{ id: 1 }])
    }).pipe(Effect.provide(open(prepared(), { deadline: "1 second", lastResort: 200 }))))

  it.effect("fails a transaction that hangs as a whole, and lets it write nothing in the next session", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient
      let goesOn: SqlError | undefined
      const hang = Effect.gen(function*() {
        yield* sql`INSERT INTO t VALUES (1)`
        const stuck = yield* Effect.result(sql.withTransaction(sql`SELECT pg_sleep(3600)`))
        expect(stuck).toMatchObject({ failure: { reason: { _tag: "StatementTimeoutError" } } })
        // The nested one could be undone only by the end of the session, so it has ended by now.
        goesOn = Result.getOrThrow(Result.flip(yield* Effect.result(sql`INSERT INTO t VALUES (2)`)))
      })
      const outcome = yield* failed(sql.withTransaction(hang))
      expect(goesOn).toMatchObject({ reason: { _tag: "ConnectionError" } })
      expect(outcome.isRetryable).toBe(true)
      expect(yield* patiently(sql`SELECT id FROM t`)).toEqual([])
    }).pipe(Effect.provide(open(prepared(), { deadline: "1 second", lastResort: 200 }))))
})
