/** The log of operators records operations on the storage itself, with a server and without one. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { commandHere, outputOf } from "./commandHere.ts"
import { type Environment, startServer } from "./serverProcess.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "tributary-operator-log-")))
const schema = `operator_log_${crypto.randomUUID().replaceAll("-", "")}`

afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  if (databaseUrl === null) return
  await Effect.runPromise(
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl), maxConnections: 1 }))
    )
  )
})

const embedded = (name: string): Environment => ({
  TRIBUTARY_STORAGE: "embedded",
  TRIBUTARY_DATA_DIR: join(root, name)
})

interface Entry {
  readonly operator: { readonly name: string }
  readonly action: string
  readonly outcome: string
  readonly request: { readonly file: string } | null
  readonly request_id: string
}

/** Verifies the chain, and returns the entries. */
const logOf = async (settings: Environment): Promise<ReadonlyArray<Entry>> => {
  await outputOf(["audit", "verify"], settings)
  const lines = (await outputOf(["audit", "export"], settings)).split("\n").slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

const actsIn = (log: ReadonlyArray<Entry>) => log.map(({ action, outcome }) => `${action} ${outcome}`)

const CREATED = ["createAccount begun", "createAccount done"]
const file = (name: string) => join(root, name)

describe("the log of operators", () => {
  // The first commands load the whole server.
  beforeAll(async () => {
    await outputOf(["migrate"], embedded("alone"))
    await outputOf(["workspaces", "create", "Acme", "--new-account"], embedded("alone"))
  })

  it("records commands on a data directory without a server", async () => {
    const settings = embedded("alone")
    await outputOf(["migrate"], settings)
    await outputOf(["backup", file("backup")], settings)
    await outputOf(["export", file("export")], settings)
    assert.strictEqual((await commandHere(["export", file("no-folder/file")], settings)).code, 1)
    const log = await logOf(settings)
    const expected = [
      ...CREATED,
      "migrate done",
      "backup begun",
      "backup done",
      "export begun",
      "export done",
      "export begun",
      "export failed"
    ]
    assert.deepStrictEqual(actsIn(log), expected)
    assert.deepStrictEqual([...new Set(log.map(({ operator }) => operator.name))], ["command line"])
    assert.deepStrictEqual(log[3]!.request, { file: file("backup") })
    assert.strictEqual(log[4]!.request_id, log[3]!.request_id)
  })

  it("continues after a restore and an import, with an entry for them", async () => {
    await outputOf(["restore", file("backup")], embedded("restored"))
    const restored = await logOf(embedded("restored"))
    assert.deepStrictEqual(actsIn(restored), [...CREATED, "migrate done", "backup begun", "restore done"])
    assert.deepStrictEqual(restored.at(-1)!.request, { file: file("backup") })
    await outputOf(["import", file("export")], embedded("imported"))
    const expected = [...CREATED, "migrate done", "backup begun", "backup done", "export begun", "import done"]
    assert.deepStrictEqual(actsIn(await logOf(embedded("imported"))), expected)
  })

  it("records commands beside a running server", async () => {
    const settings = embedded("served")
    const server = await startServer([], settings)
    onTestFinished(() => void server.child.kill("SIGKILL"))
    await outputOf(["backup", file("served-backup")], settings)
    await outputOf(["export", file("served-export")], settings)
    const expected = ["backup begun", "backup done", "export begun", "export done"]
    assert.deepStrictEqual(actsIn(await logOf(settings)), expected)
    assert.strictEqual(await server.stop(), 0)
  })

  it.skipIf(databaseUrl === null)("records commands on a Postgres, which a check does not change", async () => {
    const settings = { TRIBUTARY_DATABASE_URL: databaseUrl!, TRIBUTARY_DATABASE_SCHEMA: schema }
    const unmigrated = await commandHere(["doctor"], settings)
    assert.include(unmigrated.stderr, "is at migration 0")
    assert.strictEqual(unmigrated.code, 1)
    await outputOf(["migrate"], settings)
    await outputOf(["doctor"], settings)
    await outputOf(["import", file("export")], settings)
    await outputOf(["migrate"], settings)
    await outputOf(["export", file("from-postgres")], settings)
    const expected = ["import done", "migrate done", "export begun", "export done"]
    assert.deepStrictEqual(actsIn(await logOf(settings)).slice(-4), expected)
  })

  it("has no entry of a backup of an earlier release, which does not migrate it", async () => {
    const settings = embedded("earlier")
    await outputOf(["migrate"], settings)
    await outputOf(["workspaces", "create", "Acme", "--new-account"], settings)
    const path = join(root, "earlier", "tributary.db")
    const database = new DatabaseSync(path)
    const { user_version: version } = database.prepare("PRAGMA user_version").get()!
    // Nothing of an earlier schema but its number.
    database.exec(`PRAGMA user_version = ${Number(version) - 1}`)
    database.close()
    const { code, stderr, stdout } = await commandHere(["backup", file("earlier-backup")], settings)
    assert.include(stdout, "Backed up")
    assert.include(stderr, "The log of operators has no entry \"backup begun\"")
    assert.include(stderr, "of an earlier release: run \"tributary migrate\"")
    assert.strictEqual(code, 0)
    for (const copy of [path, file("earlier-backup")]) {
      const opened = new DatabaseSync(copy, { readOnly: true })
      assert.strictEqual(opened.prepare("PRAGMA user_version").get()!["user_version"], Number(version) - 1)
      opened.close()
    }
    const refused = await commandHere(["export", file("earlier-export")], settings)
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /^The database .* of an earlier release: run "tributary migrate"\. .*\n$/)
  })

  it("does not block a copy for which it cannot write an entry", async () => {
    const database = new DatabaseSync(join(root, "alone", "tributary.db"))
    database.exec("DROP TABLE operator_log")
    database.close()
    const { code, stderr, stdout } = await commandHere(["backup", file("unrecorded")], embedded("alone"))
    assert.include(stderr, "The log of operators has no entry \"backup begun\": no such table: operator_log")
    assert.include(stdout, "Backed up")
    assert.strictEqual(code, 0)
  })
})
