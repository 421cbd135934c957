/** Backups of a database that is being written to. */
import { assert, it } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Fiber } from "effect"
import fs, { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { vi } from "vitest"
import { admit, item, newSource } from "../../postgres/test/support/source.ts"
import { backup, checkIntegrity, restore } from "../src/Backup.ts"
import { APPLICATION_ID } from "../src/internal/migrate.ts"
import { migrations } from "../src/migrations/index.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { newFolder } from "./support/newFolder.ts"

const versionOf = (path: string): unknown => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return db.prepare("PRAGMA user_version").get()!["user_version"]
  } finally {
    db.close()
  }
}

const newPath = () => join(newFolder(), "tributary.db")

it.effect("a backup is a consistent snapshot of a store in use, and is restored unchanged", () =>
  Effect.gen(function*() {
    const [path, target] = [newPath(), join(newFolder(), "backup.db")]
    const { meters, source } = yield* Effect.gen(function*() {
      const [documents, source] = [yield* DocumentStore, yield* newSource]
      let batches = 0
      const writing = yield* Effect.forkChild(Effect.forever(Effect.suspend(() => {
        const batch = ++batches
        return admit(source, Array.from({ length: 10 }, (_, at) => item(`${batch}-${at}`, "x".repeat(500))))
      })))
      while ((yield* documents.meters(source.workspaceId)).documents < 100) yield* Effect.yieldNow
      yield* backup(path, target)
      yield* Fiber.interrupt(writing)
      return { source, meters: yield* documents.meters(source.workspaceId) }
    }).pipe(Effect.provide(Sqlite.layer({ path }), { local: true }))

    assert.strictEqual(statSync(target).mode & 0o777, 0o600)
    const restored = newPath()
    yield* restore(target, restored)
    assert.deepStrictEqual(yield* checkIntegrity(restored), [])
    yield* Effect.gen(function*() {
      const documents = yield* DocumentStore
      const then = yield* documents.meters(source.workspaceId)
      assert.isTrue(then.documents >= 100 && then.documents <= meters.documents)
      assert.strictEqual(then.documents % 10, 0)
      const page = { after: null, externalId: null, limit: 100_000 }
      assert.strictEqual((yield* documents.list(source.workspaceId, source.connectorId, page)).length, then.documents)
    }).pipe(Effect.provide(Sqlite.layer({ path: restored }), { local: true }))
  }))

it.effect("a backup overwrites no other file, and is restored over no other database", () =>
  Effect.gen(function*() {
    const [path, folder] = [newPath(), newFolder()]
    yield* Effect.provide(newSource, Sqlite.layer({ path }), { local: true })
    const taken = join(folder, "taken")
    writeFileSync(taken, "mine")
    assert.include((yield* Effect.flip(backup(path, taken))).message, "cannot be written: it exists already")
    assert.strictEqual(readFileSync(taken, "utf8"), "mine")
    yield* backup(path, join(folder, "backup.db"))
    assert.include((yield* Effect.flip(restore(join(folder, "backup.db"), path))).message, "there is data in")
    assert.deepStrictEqual(readdirSync(folder).sort(), ["backup.db", "taken"])
    assert.include((yield* Effect.flip(restore(taken, join(folder, "new.db")))).message, "it is not a database")
  }))

it.effect("a database of an earlier release is copied, checked and restored as it is, and migrated when it is opened", () =>
  Effect.gen(function*() {
    const [path, target, restored] = [newPath(), join(newFolder(), "backup.db"), newPath()]
    const db = new DatabaseSync(path)
    db.exec(`${migrations[0]}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 1`)
    db.close()
    yield* backup(path, target)
    assert.deepStrictEqual(yield* checkIntegrity(target), [])
    yield* restore(target, restored)
    assert.deepStrictEqual([path, target, restored].map(versionOf), [1, 1, 1])
    yield* Effect.provide(newSource, Sqlite.layer({ path: restored }), { local: true })
    assert.strictEqual(versionOf(restored), migrations.length)
  }))

it.effect("damage is found by the check, and is not restored", () =>
  Effect.gen(function*() {
    const path = newPath()
    const source = yield* Effect.provide(
      Effect.tap(newSource, (source) =>
        admit(source, Array.from({ length: 500 }, (_, at) => item(`${at}`, "y".repeat(900))))),
      Sqlite.layer({ path }),
      { local: true }
    )
    assert.isString(source.workspaceId)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, bytes.length - 3 * 4_096, bytes.length - 4_096))
    assert.isNotEmpty(yield* checkIntegrity(path))
    const target = newPath()
    assert.include((yield* Effect.flip(restore(path, target))).message, "it is damaged (")
    assert.deepStrictEqual(readdirSync(join(target, "..")), [])
  }))

it.effect("a backup needs no hard links, which not every file system has", () =>
  Effect.gen(function*() {
    const [path, target] = [newPath(), join(newFolder(), "backup.db")]
    yield* Effect.provide(newSource, Sqlite.layer({ path }), { local: true })
    const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
      throw new Error("EPERM: operation not permitted, link")
    })
    syncBuiltinESMExports()
    yield* Effect.ensuring(
      backup(path, target),
      Effect.sync(() => {
        link.mockRestore()
        syncBuiltinESMExports()
      })
    )
    assert.deepStrictEqual(yield* checkIntegrity(target), [])
  }))
