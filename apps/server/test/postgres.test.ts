/** Servers on one Postgres: shared work, the loss of a server, and refused starts. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, assert, describe, it, onTestFinished } from "vitest"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { commandHere } from "./commandHere.ts"
import { eventually } from "./faults/support/nodes.ts"
import { holdTable } from "./heldTable.ts"
import { api, type Environment, type RunningServer, startServer, tributary } from "./serverProcess.ts"

const url = databaseUrl ?? "postgres://none"
const schemas: Array<string> = []

const run = (...statements: ReadonlyArray<string>): Promise<void> =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    for (const statement of statements) yield* sql.unsafe(statement)
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })), Effect.runPromise)

const newSchema = () => {
  const schema = `server_${crypto.randomUUID().replaceAll("-", "")}`
  schemas.push(schema)
  return schema
}

const settingsFor = (schema: string) => ({ TRIBUTARY_DATABASE_URL: url, TRIBUTARY_DATABASE_SCHEMA: schema })

const start = async (schema: string, key?: string): Promise<RunningServer> => {
  const server = await startServer([], settingsFor(schema), key)
  onTestFinished(() => void server.child.kill("SIGKILL"))
  return server
}

const statusWith = async (server: RunningServer, secret: string): Promise<number> => {
  const response = await fetch(`${server.url}/v1/knowledge/status`, { headers: { authorization: `Bearer ${secret}` } })
  return response.status
}

const search = async (server: RunningServer, q: string): Promise<ReadonlyArray<string>> => {
  type SearchResponse = { readonly results: ReadonlyArray<{ readonly external_id: string }> }
  const found = await api<SearchResponse>(server, "POST", "/v1/knowledge/search", { q, limit: 1 })
  return found.results.map(({ external_id }) => external_id)
}

const used = async (server: RunningServer): Promise<number> => {
  type Usage = { readonly entitlements: { readonly documents: { readonly used: number } } }
  return (await api<Usage>(server, "GET", "/v1/usage/current")).entitlements.documents.used
}

describe.skipIf(databaseUrl === null)("on Postgres", () => {
  afterAll(() => run(...schemas.map((schema) => `DROP SCHEMA IF EXISTS ${schema} CASCADE`)))

  it("two servers act as one, and one continues when the other is killed during ingest", async () => {
    const schema = newSchema()
    const one = await start(schema)
    assert.include(one.output.stdout, `storage    postgres: schema "${schema}" of `)
    assert.notInclude(one.output.stdout + one.output.stderr, `:${new URL(url).password}@`)
    const two = await start(schema, one.key)
    assert.notInclude(two.output.stdout, "pk_live_")

    // A key that a command creates, as a third node, works on both; one server finds at once what the other ingests.
    const made = await commandHere(["keys", "create", "both", "--json"], settingsFor(schema))
    const { key_id, secret } = JSON.parse(made.stdout) as { key_id: string; secret: string }
    assert.deepStrictEqual([await statusWith(one, secret), await statusWith(two, secret)], [200, 200])
    const { connector_id } = await api<{ connector_id: string }>(one, "POST", "/v1/custom-connectors", {
      name: "Notes",
      source_name: "notes"
    })
    const push = (server: RunningServer, number: number) =>
      api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, {
        items: [{ external_id: `note-${number}`, text: `Locker ${number} holds the badge of visitor ${number * 7}.` }]
      })
    for (let number = 1; number <= 3; number++) {
      await push(one, number)
      assert.deepStrictEqual(await search(two, `locker ${number}`), [`note-${number}`])
    }

    const last = { acknowledged: 3 }
    const pushing = (async () => {
      while (true) {
        await push(one, last.acknowledged + 1)
        last.acknowledged++
      }
    })()
    const lost = pushing.catch((error: unknown) => error)
    while (last.acknowledged < 20) await new Promise((resolve) => setTimeout(resolve, 5))
    one.child.kill("SIGKILL")
    assert.instanceOf(await lost, Error)
    const { acknowledged } = last

    assert.deepStrictEqual(await search(two, `locker ${acknowledged}`), [`note-${acknowledged}`])
    // The last request may have been carried out although its response was lost.
    assert.include([acknowledged, acknowledged + 1], await used(two))
    await push(two, 1_000)
    assert.deepStrictEqual(await search(two, "locker 1000"), ["note-1000"])
    await commandHere(["keys", "revoke", key_id], settingsFor(schema))
    assert.strictEqual(await statusWith(two, secret), 401)

    const again = await start(schema, one.key)
    assert.deepStrictEqual(await search(again, "locker 1000"), ["note-1000"])
    assert.strictEqual(await two.stop(), 0)
    assert.strictEqual(await again.stop(), 0)
  })

  it("of two servers that start on an empty store, one creates the first workspace", async () => {
    const schema = newSchema()
    const [one, two] = await Promise.all([start(schema, "none"), start(schema, "none")])
    const keys = [one, two].filter(({ output }) => output.stdout.includes("pk_live_"))
    assert.strictEqual(keys.length, 1)
  })

  it("a server that starts during an import waits for it, and creates no account beside those of the file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tributary-postgres-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const done = async (args: ReadonlyArray<string>, settings: Environment) => {
      const { code, stderr, stdout } = await commandHere(args, settings)
      assert.strictEqual(code, 0, stderr)
      return stdout
    }
    const embedded = { TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(folder, "data") }
    const file = join(folder, "store.tributary")
    await done(["migrate"], embedded)
    await done(["workspaces", "create", "Acme", "--new-account"], embedded)
    const key = (await done(["keys", "create", "mine"], embedded)).split("\n")[0]!
    await done(["export", file], embedded)

    const schema = newSchema()
    await done(["migrate"], settingsFor(schema))
    const held = await holdTable(url, `${schema}.usage_counts`)
    const imported = done(["import", file], settingsFor(schema))
    await held.isRead()
    const server = tributary(["serve"], { ...settingsFor(schema), TRIBUTARY_PORT: "0" })
    onTestFinished(() => void server.child.kill("SIGKILL"))
    await eventually("it waits", async () => server.output.stderr.includes("waiting for a first start or an import"))
    await held.open()
    await imported
    await eventually("it has started", async () => server.output.stdout.includes("To create another key"))
    assert.notInclude(server.output.stdout, "pk_live_")
    const [, address = ""] = /listens on (\S+)/.exec(server.output.stdout) ?? []
    await api({ url: address, key }, "GET", "/v1/usage/current")
    const { accounts, workspaces } = JSON.parse(await done(["export", `${file}.2`, "--json"], settingsFor(schema)))
    assert.deepStrictEqual([accounts, workspaces], [1, 1])
  })

  it("migrate creates only the tables", async () => {
    const schema = newSchema()
    const { code, stdout } = await commandHere(["migrate"], settingsFor(schema))
    assert.strictEqual(code, 0)
    assert.strictEqual(stdout, `The tables in schema "${schema}" are up to date.\n`)
    assert.include((await start(schema)).output.stdout, "pk_live_")
  })

  it("a command other than serve, migrate and import makes no tables, so that a wrong name is noticed", async () => {
    const schema = newSchema()
    const { code, stderr } = await commandHere(["workspaces", "list"], settingsFor(schema))
    assert.strictEqual(code, 1)
    assert.include(stderr, `The schema "${schema}" is at migration 0`)
    assert.include(stderr, `Run "tributary migrate" first`)
    // It would fail if the schema existed.
    await run(`CREATE SCHEMA ${schema}`)
  })

  it("refuses a schema that a newer release has migrated", async () => {
    const schema = newSchema()
    await commandHere(["migrate"], settingsFor(schema))
    await run(
      `INSERT INTO ${schema}.migrations (number, name, oldest_compatible)
        SELECT max(number) + 1, 'future', max(number) + 1 FROM ${schema}.migrations`
    )
    const { code, stderr } = await commandHere(["serve"], settingsFor(schema))
    assert.strictEqual(code, 1)
    assert.include(stderr, "was migrated by a newer release")
    assert.strictEqual(stderr.trim().split("\n").length, 1)
  })

  it("refuses a version that is too old", async () => {
    const schema = newSchema()
    // A role to which the server reports version 14.
    await run(
      `CREATE SCHEMA ${schema}`,
      `CREATE FUNCTION ${schema}.current_setting(name text) RETURNS text LANGUAGE sql AS
        $$ SELECT CASE name WHEN 'server_version_num' THEN '140011' WHEN 'server_version' THEN '14.11' ELSE 'UTF8' END $$`,
      `CREATE ROLE ${schema} LOGIN PASSWORD 'old'`,
      `GRANT USAGE ON SCHEMA ${schema} TO ${schema}`,
      `ALTER ROLE ${schema} SET search_path = ${schema}, pg_catalog`
    )
    const old = Object.assign(new URL(url), { username: schema, password: "old" })
    const { code, stderr } = await commandHere(["serve"], { TRIBUTARY_DATABASE_URL: old.href })
    await run(`DROP SCHEMA ${schema} CASCADE`, `DROP ROLE ${schema}`)
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "This is Postgres 14.11; version 15 or newer is needed. Upgrade the database server.\n")
  })

  it("refuses an unknown user, password or database", async () => {
    const wrong = (parts: Partial<URL>) => ({ TRIBUTARY_DATABASE_URL: Object.assign(new URL(url), parts).href })
    const absent = await commandHere(["serve"], wrong({ pathname: "/no_such_database" }))
    assert.strictEqual(absent.code, 1)
    assert.include(absent.stderr, "no_such_database")
    assert.strictEqual(absent.stderr.trim().split("\n").length, 1)
    const stranger = await commandHere(["serve"], wrong({ username: "nobody_known", password: "a-secret" }))
    assert.strictEqual(stranger.code, 1)
    assert.notInclude(stranger.stderr, "a-secret")
    assert.strictEqual(stranger.stderr.trim().split("\n").length, 1)
  })
})

describe("without a Postgres", () => {
  it.each([
    ["postgres://user:a-secret@127.0.0.1:59999/db", "No Postgres answers at 127.0.0.1:59999 ("],
    ["postgres://user:a-secret@no-such-host.invalid/db", "No Postgres answers at no-such-host.invalid ("]
  ])("says that nobody answers at %s", async (address, sentence) => {
    const { code, stderr, stdout } = await commandHere(["serve"], { TRIBUTARY_DATABASE_URL: address })
    assert.strictEqual(code, 1)
    assert.include(stderr, sentence)
    assert.notInclude(stderr, "a-secret")
    assert.strictEqual(stderr.trim().split("\n").length, 1)
    assert.strictEqual(stdout, "")
  })
})
