/** Files that cannot be used: each is refused in one sentence, and stays as it is. */
import { assert, describe, it } from "@effect/vitest"
import { LastWritten } from "@tributary/core/ports/LastWritten"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { restore } from "../src/Backup.ts"
import { migrations } from "../src/migrations/index.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { newFolder } from "./support/newFolder.ts"

const listed = Effect.flatMap(WorkspaceStore, (store) => store.list({ accountId: null, after: null, limit: 1 }))

const opened = (path: string) => Effect.provide(listed, Sqlite.layer({ path }), { local: true })

/** The sentence, after making sure that the file has not changed. */
const refusal = Effect.fnUntraced(function*(path: string) {
  const before = readFileSync(path)
  const error = yield* Effect.flip(opened(path))
  assert.isTrue(readFileSync(path).equals(before))
  assert.strictEqual(error._tag, "DatabaseUnusable")
  return error.message.replace(path, "FILE")
})

const sentence = (problem: string) => `The database FILE cannot be used: ${problem}. Nothing in it was changed.`

/** A database of this release, closed. */
const created = Effect.fnUntraced(function*() {
  const path = join(newFolder(), "tributary.db")
  yield* opened(path)
  return path
})

const changed = (path: string, statements: string) => {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}

it.effect("statistics of an earlier release are forgotten, so that plans do not depend on how large tables were", () =>
  Effect.gen(function*() {
    const path = yield* created()
    changed(path, "INSERT INTO operator_log VALUES (1, 'x', 'y'); ANALYZE")
    yield* opened(path)
    const database = new DatabaseSync(path)
    assert.deepStrictEqual(database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'").all(), [])
    database.close()
  }))

it.effect("the storage says when it was last written to before it was opened", () =>
  Effect.gen(function*() {
    const lastWritten = (path: string) =>
      Effect.provide(Effect.andThen(listed, LastWritten), Sqlite.layer({ path }), { local: true })
    assert.strictEqual(yield* lastWritten(join(newFolder(), "new.db")), Infinity)
    const path = yield* created()
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    assert.strictEqual(yield* lastWritten(path), 1_700_000_000_000)
    writeFileSync(`${path}-wal`, "")
    utimesSync(`${path}-wal`, 1_800_000_000, 1_800_000_000)
    assert.strictEqual(yield* lastWritten(path), 1_800_000_000_000)
  }))

describe("a file that cannot be used", () => {
  it.effect("is refused if it is not a database", () =>
    Effect.gen(function*() {
      const path = join(newFolder(), "tributary.db")
      writeFileSync(path, "a letter to a friend, which is long enough to be more than a header\n".repeat(100))
      assert.strictEqual(yield* refusal(path), sentence("it is not a database"))
    }))

  it.effect("is refused if another program created it", () =>
    Effect.gen(function*() {
      const path = join(newFolder(), "tributary.db")
      changed(path, "CREATE TABLE contacts (name TEXT)")
      assert.strictEqual(yield* refusal(path), sentence("it belongs to another program"))
    }))

  it.effect.each(["missing", "empty"])(
    "is refused if it is %s, but not its log, which stays",
    (how) =>
      Effect.gen(function*() {
        const path = yield* created()
        const copy = join(newFolder(), "tributary.db")
        const database = new DatabaseSync(path)
        database.exec("PRAGMA journal_mode = WAL; DELETE FROM jobs; INSERT INTO operator_log VALUES (1, 'x', 'y')")
        const log = readFileSync(`${path}-wal`)
        database.close()
        writeFileSync(`${copy}-wal`, log)
        if (how === "empty") writeFileSync(copy, "")
        const error = yield* Effect.flip(opened(copy))
        assert.include(
          error.message,
          "it is missing or empty, but not tributary.db-wal. Put it back, or restore a backup"
        )
        assert.isTrue(readFileSync(`${copy}-wal`).equals(log))
        // SQLite would apply it to another database.
        const backup = yield* created()
        assert.include((yield* Effect.flip(restore(backup, copy))).message, "there is data in")
        assert.isTrue(readFileSync(`${copy}-wal`).equals(log))
      })
  )

  it.effect("is refused if a newer release wrote it", () =>
    Effect.gen(function*() {
      const path = yield* created()
      changed(path, "PRAGMA user_version = 999")
      assert.strictEqual(
        yield* refusal(path),
        sentence(
          `its schema has version 999, and this release knows versions up to ${migrations.length}: start a newer release`
        )
      )
    }))

  it.effect("is refused if its header is damaged", () =>
    Effect.gen(function*() {
      const path = yield* created()
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0xff, 100, 4096))
      assert.strictEqual(yield* refusal(path), sentence("it is damaged; restore an earlier backup"))
    }))

  it.effect("is refused if it is a folder", () =>
    Effect.gen(function*() {
      const path = join(newFolder(), "tributary.db")
      mkdirSync(path)
      const error = yield* Effect.flip(opened(path))
      assert.strictEqual(error.message.replace(path, "FILE"), sentence("it is a folder"))
    }))

  // Permissions do not stop root.
  it.effect.skipIf(process.getuid?.() === 0)("is refused if it is not writable", () =>
    Effect.gen(function*() {
      const path = yield* created()
      chmodSync(path, 0o400)
      assert.strictEqual(yield* refusal(path), sentence("it cannot be written to"))
    }))
})
