import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Clock, Effect, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, describe, it, vi } from "vitest"
import { databaseUrl } from "../../postgres/test/support/testServer.ts"
import { open, OpenError, type Options } from "../src/open.ts"
import { dropSchema } from "./support/database.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-open-"))
const schema = `open_${crypto.randomUUID().replaceAll("-", "")}`

afterAll(async () => {
  rmSync(root, { recursive: true })
  await dropSchema(schema)
})

const fill = async (options: Options): Promise<string> => {
  await using kb = await open(options)
  const workspace = await kb.createWorkspace({ name: "Handbook" })
  const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
  await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
  return workspace.id
}

const answer = async (options: Options, id: string): Promise<string> => {
  await using kb = await open(options)
  return (await kb.workspace(id).ask({ query: "Where is the spare key?" })).response
}

const rejection = (options: Options): Promise<string> =>
  open(options).then((kb) => kb.close().then(() => "it opened"), (error: Error) => error.message)

describe("A knowledge base in a directory", () => {
  it("keeps its data from one opening to the next", async () => {
    const options: Options = { storage: "embedded", directory: join(root, "kept") }
    const id = await fill(options)
    assert.include(await answer(options, id), "locker 7")
  })

  it("caches its segments in files beside the database", async () => {
    const options: Options = { storage: "embedded", directory: join(root, "cached") }
    const id = await fill(options)
    const first = await open(options)
    await vi.waitFor(
      async () => assert.strictEqual((await first.workspace(id).status()).pending_documents, 0),
      { timeout: 150_000, interval: 100 }
    )
    await first.close()
    await answer(options, id)
    assert.isAbove(readdirSync(join(root, "cached/segments", id)).length, 0)
  })

  it("encrypts secrets with a key in its directory, unless the host has keys", async () => {
    const own: Options = { storage: "embedded", directory: join(root, "own") }
    await (await open(own)).close()
    assert.isTrue(existsSync(join(root, "own/encryption.key")))
    const encryptionKeys = [crypto.getRandomValues(new Uint8Array(32))]
    await (await open({ ...own, directory: join(root, "given"), encryptionKeys })).close()
    assert.isFalse(existsSync(join(root, "given/encryption.key")))
    writeFileSync(join(root, "own/encryption.key"), "")
    assert.match(await rejection(own), /encryption\.key is empty\. Restore it from a backup/)
  })

  it("can be opened once at a time, and does not touch a foreign directory", async () => {
    const options: Options = { storage: "embedded", directory: join(root, "kept") }
    const held = await open(options)
    assert.match(await rejection(options), /is in use by this process already/)
    assert.match(await rejection({ storage: "embedded", directory: tmpdir() }), /Tributary did not make it/)
    await held.close()
  })
})

describe.skipIf(databaseUrl === null)("A knowledge base in Postgres", () => {
  it("uses the host's open client, and keeps it open", async () => {
    const runtime = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(databaseUrl!), maxConnections: 4 }))
    const sql = await runtime.runPromise(PgClient.PgClient)
    const options: Options = { storage: "postgres", sql, schema }
    const id = await fill(options)
    assert.include(await answer({ ...options, migrate: "check" }, id), "locker 7")
    assert.deepStrictEqual(await runtime.runPromise(sql`SELECT 1 AS one`), [{ one: 1 }])
    await runtime.dispose()
  })

  it("keeps its data, and shares it with another process", async () => {
    const options: Options = { storage: "postgres", url: databaseUrl!, schema, maxConnections: 3 }
    const id = await fill(options)
    const first = await open(options)
    assert.include(await answer(options, id), "locker 7")
    await first.close()
  })

  it("uses the database's clock where this machine's is wrong, and the host's if it has one", async () => {
    const [now, ahead] = [Date.now, 365 * 86_400_000]
    const createdAt = async (options: Pick<Options, "clock">) => {
      await using kb = await open({ storage: "postgres", url: databaseUrl!, schema, logger: false, ...options })
      const workspace = await kb.createWorkspace({ name: "Handbook" })
      const { created_at } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
      return created_at.getTime() - now()
    }
    vi.spyOn(Date, "now").mockImplementation(() => now() + ahead)
    try {
      assert.closeTo(await createdAt({}), 0, 60_000)
      assert.closeTo(await createdAt({ clock: await Effect.runPromise(Clock.Clock) }), ahead, 60_000)
    } finally {
      vi.restoreAllMocks()
    }
  })

  it("reports that nobody answers at its address", async () => {
    const error = await open({ storage: "postgres", url: "postgres://nobody@127.0.0.1:1/none" }).catch((error) => error)
    assert.instanceOf(error, OpenError)
    assert.match(error.message, /^The database cannot be used: .*ECONNREFUSED/)
  })
})

describe("A storage whose package is not installed", () => {
  it.each([
    ["postgres", "{ storage: 'postgres', url: 'postgres://x' }", "@effect/sql-pg"]
  ])("is refused with what to install: %s", async (storage, options, needed) => {
    const program = `const { open } = await import(${JSON.stringify(new URL("../src/open.ts", import.meta.url).href)})
      await open(${options}).catch(({ message }) => console.log(message))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--import",
      new URL("support/withoutPeers.ts", import.meta.url).href,
      "--input-type=module",
      "--eval",
      program
    ], { cwd: root })
    assert.strictEqual(stdout, `Storage "${storage}" needs a package that is not installed: npm install ${needed}\n`)
  })
})
