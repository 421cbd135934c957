import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { PgliteClient } from "../src/pglite/index.ts"
import { prepare, readPrepared } from "../src/pglite/internal/preparedDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-prepared-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Tells by which initialisation a database came about. */
const origin = (dataDir: string | null) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql<{ system: string; tables: number }>`
      SELECT system_identifier::text AS system,
        (SELECT count(*) FROM pg_tables WHERE schemaname = 'public')::integer AS tables
      FROM pg_control_system()`)
    .pipe(Effect.provide(PgliteClient.layer({ dataDir })))

/** A first start that is killed once `moment` has come; true when it had not ended its work by then. */
const killedStart = async (dataDir: string, moment: () => boolean): Promise<boolean> => {
  const writer = fileURLToPath(new URL("pglite.writer.ts", import.meta.url))
  const child = spawn(process.execPath, [writer, dataDir], { stdio: "ignore" })
  while (!moment()) await setTimeout(1)
  const state = readFileSync(join(dataDir, "format.json"), "utf8")
  child.kill("SIGKILL")
  await once(child, "exit")
  return state.includes("creating")
}

describe("a prepared database", () => {
  it.effect("is what a new directory and a new database in memory begin with", () =>
    Effect.gen(function*() {
      if ((yield* Effect.promise(() => readPrepared())) === undefined) yield* Effect.promise(prepare)
      const [onDisk] = yield* origin(join(root, "new"))
      const [inMemory] = yield* origin(null)
      assert.deepStrictEqual(onDisk, inMemory)
      assert.strictEqual(onDisk?.tables, 0)
    }))

  it("is none for another release of PGlite", async () => {
    assert.isUndefined(await readPrepared("0.4.0"))
  })

  it.effect.each([
    ["has just begun", ""],
    ["has half of its files", "database/pg_wal/000000010000000000000001"],
    ["has all of its files", "database/postmaster.pid"]
  ])("begins anew where a first start was killed that %s", ([, file = ""]) =>
    Effect.gen(function*() {
      const dataDir = mkdtempSync(join(root, "killed-"))
      const seen = join(dataDir, file)
      const moment = () => existsSync(join(dataDir, "format.json")) && existsSync(seen)
      assert.isTrue(yield* Effect.promise(() => killedStart(dataDir, moment)))
      const [{ tables } = { tables: -1 }] = yield* origin(dataDir)
      assert.strictEqual(tables, 0)
    }))
})
