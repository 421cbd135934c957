import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it, onTestFinished } from "vitest"
import { SqliteConnection } from "../src/internal/SqliteConnection.ts"

const BYTES = 100_000_000

const open = (): SqliteConnection => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-sqlite-"))
  const db = new SqliteConnection({ path: join(folder, "a.db"), fsync: false })
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  db.exec("CREATE TABLE texts (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
  return db
}

const INSERT = "INSERT INTO texts (id, bytes) VALUES (?, ?)"

it("a connection keeps no large value that it has written, even before garbage is collected", () => {
  const db = open()
  const bytes = new Uint8Array(BYTES).fill(1)
  db.run(INSERT, 1, new Uint8Array(1))
  const before = process.memoryUsage.rss()
  db.run(INSERT, 2, bytes)
  assert.isBelow(process.memoryUsage.rss() - before, BYTES / 2)
  assert.strictEqual(db.get<{ readonly rows: number }>("SELECT count(*) AS rows FROM texts")!.rows, 2)
})

it("a connection keeps no large value that it could not write", () => {
  const db = open()
  const bytes = new Uint8Array(BYTES).fill(1)
  db.run(INSERT, 1, new Uint8Array(1))
  const before = process.memoryUsage.rss()
  assert.throws(() => db.run(INSERT, 1, bytes), /UNIQUE/)
  assert.isBelow(process.memoryUsage.rss() - before, BYTES / 2)
  assert.strictEqual(db.run(INSERT, 2, new Uint8Array(1)), 1)
})
