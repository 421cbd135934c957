/** Disks of their own: one that fills up, and one that may only be read. Mounting them takes root. */
import { assert, describe, it } from "@effect/vitest"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import { ApiKeyId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Layer, Option, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { backup } from "../src/Backup.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { exportStore } from "../src/StoreExport.ts"
import { importStore } from "../src/StoreImport.ts"
import { newFolder } from "./support/newFolder.ts"
import { admit, item, newJob, newSource, newUuid, NOW } from "../../postgres/test/support/source.ts"

const mount = (options: string): string | null => {
  const folder = newFolder()
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "pipe" })
    return folder
  } catch {
    return null
  }
}

const disk = mount("size=16m")

const KILOBYTE = 1024

/** Leaves so little room that a batch of a megabyte does not fit. */
const fill = (left = 64 * KILOBYTE) => {
  const { bavail, bsize } = statfsSync(disk!)
  try {
    writeFileSync(join(disk!, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)))
  } catch (error) {
    // The database may take some of the room meanwhile.
    assert.propertyVal(error, "code", "ENOSPC")
  }
}

/** While this reads, the log is not written again from its start, where a full disk has room. */
const reading = Effect.acquireRelease(
  Effect.sync(() => {
    const reader = new DatabaseSync(join(disk!, "tributary.db"), { readOnly: true })
    reader.exec("BEGIN; SELECT count(*) FROM workspaces")
    return reader
  }),
  (reader) => Effect.sync(() => reader.close())
)

const unmounted = Effect.sync(() => execFileSync("/bin/umount", ["--lazy", disk!]))

const text = (letter: string) => letter.repeat(1024 * KILOBYTE)

describe.skipIf(disk === null)("a disk", () => {
  it.live("that is full refuses writes and serves reads, and accepts writes once it has room", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const source = yield* newSource
      const isThere = (id: string) =>
        Effect.map(documents.findByExternalId(source.workspaceId, source.connectorId, id), Option.isSome)
      yield* reading
      yield* admit(source, [item("before", text("a"))])
      fill()
      const error = yield* Effect.flip(admit(source, [item("meanwhile", text("b"))]))
      assert.strictEqual(error._tag, "StorageUnavailable")
      assert.isTrue(yield* isThere("before"))
      assert.isFalse(yield* isThere("meanwhile"))
      rmSync(join(disk!, "filler"))
      assert.deepStrictEqual(yield* admit(source, [item("after", text("c"))]), ["created"])
      assert.isTrue(yield* isThere("after"))
      assert.deepStrictEqual(yield* documents.meters(source.workspaceId), {
        documents: 2,
        storage: 2 * 1024 * KILOBYTE
      })
    }).pipe(Effect.scoped, Effect.provide(Sqlite.layer({ path: join(disk!, "tributary.db") }), { local: true })))

  it.live("that is full serves reads by a key whose last use cannot be noted", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const source = yield* newSource
      yield* reading
      const hash = newUuid()
      const key: ApiKey = {
        key_id: ApiKeyId.make(newUuid()),
        name: "key",
        hint: "wxyz",
        scopes: ["api:read"],
        created_at: NOW,
        created_by: OPERATOR,
        last_used_at: null,
        expires_at: null,
        revoked_at: null
      }
      yield* keys.insert(source.workspaceId, key, hash)
      const used = Effect.map(
        keys.authenticate(hash, new Date(NOW.getTime() + 120_000)),
        Option.map(({ key }) => key.last_used_at)
      )
      fill(0)
      yield* Effect.flip(admit(source, [item("meanwhile", "b")]))
      assert.deepStrictEqual(yield* used, Option.some(null))
      rmSync(join(disk!, "filler"))
      assert.deepStrictEqual(yield* used, Option.some(new Date(NOW.getTime() + 120_000)))
    }).pipe(Effect.scoped, Effect.provide(Sqlite.layer({ path: join(disk!, "tributary.db") }), { local: true })))

  it.live("that is full takes no backup and no import, says so in a sentence, and has nothing of them left", () =>
    Effect.gen(function*() {
      const [path, target] = [join(newFolder(), "tributary.db"), join(disk!, "imported.db")]
      yield* Effect.flatMap(newSource, (source) => admit(source, [item("large", text("a"))])).pipe(
        Effect.provide(Sqlite.layer({ path }), { local: true })
      )
      const lines: Array<string> = []
      yield* exportStore({ path, write: (written) => Effect.sync(() => lines.push(written)) })
      yield* Effect.scoped(Layer.build(Sqlite.layer({ path: target })))
      fill()
      const before = readdirSync(disk!)
      const backedUp = yield* Effect.flip(backup(path, join(disk!, "backup.db")))
      assert.strictEqual(backedUp.message, `${join(disk!, "backup.db")} cannot be written: the disk is full.`)
      assert.deepStrictEqual(readdirSync(disk!), before)
      const importing = Effect.suspend(() =>
        importStore({
          path: target,
          lines: Stream.toAsyncIterable(Stream.fromIterable(lines.join("").trimEnd().split("\n"))),
          buildJob: (id) => newJob(id, { queue: "build" })
        })
      )
      const { message } = yield* Effect.flip(importing)
      assert.strictEqual(message, `The database ${target} cannot be used: the disk is full. Nothing in it was changed.`)
      rmSync(join(disk!, "filler"))
      assert.strictEqual((yield* importing)["documents"], 1)
    }))

  it.live("without any room is named when a database on it cannot be opened", () =>
    Effect.gen(function*() {
      const path = join(disk!, "tributary.db")
      yield* Effect.scoped(Layer.build(Sqlite.layer({ path })))
      fill(0)
      const { message } = yield* Effect.flip(Effect.scoped(Layer.build(Sqlite.layer({ path }))))
      assert.match(message, /tributary\.db cannot be used: (its|the) disk is full/)
      rmSync(join(disk!, "filler"))
    }))

  it.live("that has become read-only is refused with a sentence", () =>
    Effect.gen(function*() {
      const path = join(disk!, "tributary.db")
      execFileSync("/bin/mount", ["-o", "remount,ro", disk!])
      const error = yield* Effect.flip(Layer.build(Sqlite.layer({ path })))
      assert.strictEqual(
        error.message,
        `The database ${path} cannot be used: it cannot be written to. Nothing in it was changed.`
      )
    }).pipe(Effect.scoped, Effect.ensuring(unmounted)))
})
