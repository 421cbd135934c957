import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, it, onTestFinished } from "vitest"
import { SqliteConnection } from "../src/internal/SqliteConnection.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const BYTES = 100_000_000

const residentBytes = async (): Promise<number> => {
  // What was made in this turn is kept until its end.
  await setImmediate()
  collect()
  await setImmediate()
  collect()
  return process.memoryUsage.rss()
}

it("a connection keeps no large value that it has written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-sqlite-"))
  const db = new SqliteConnection({ path: join(folder, "a.db"), fsync: false })
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  db.exec("CREATE TABLE texts (bytes)")
  const insert = (bytes: Uint8Array) => db.run("INSERT INTO texts VALUES (?)", bytes)
  insert(new Uint8Array(1))
  const before = await residentBytes()
  insert(new Uint8Array(BYTES))
  assert.isBelow(await residentBytes() - before, BYTES / 2)
})
