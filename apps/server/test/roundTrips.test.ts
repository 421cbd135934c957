/** Round trips to Postgres per request, counted on the wire between the real server and the database. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"
import { assert, describe, it, onTestFinished } from "vitest"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { secureRows } from "./rowSecurity.ts"
import { api, type Environment, type RunningServer, startServer } from "./serverProcess.ts"

const url = databaseUrl ?? "postgres://none"

/** The Sync message of the Postgres protocol, which ends a request. */
const SYNC = "S".charCodeAt(0)

/** Counts the messages of this kind in what a client sends. The first message of a connection has no letter. */
const counting = (counted: () => void) => {
  let rest = Buffer.alloc(0)
  let letter = 0
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= letter + 4) {
      const end = letter + rest.readUInt32BE(letter)
      if (rest.length < end) return
      if (letter === 1 && rest[0] === SYNC) counted()
      letter = 1
      rest = rest.subarray(end)
    }
  }
}

/** A proxy to the database that counts round trips. */
const countedWire = async () => {
  const trips = { count: 0 }
  const { hostname, port } = new URL(url)
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.on("data", counting(() => void trips.count++))
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on("error", () => [near, far].map((one) => one.destroy()))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const through = Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` })
  return { url: through.href, trips }
}

const REQUESTS = 80

const TOKEN = "operator-token-of-round-trips"

/** A key of an account without rate limits. */
const unlimited = async (server: RunningServer): Promise<Pick<RunningServer, "key" | "url">> => {
  const operator = { url: server.url, key: TOKEN }
  type Account = { readonly personal_workspace: { readonly workspace_id: string } }
  const account = await api<Account>(operator, "POST", "/admin/v1/accounts", { name: "Ada", tier: "pro" })
  const keys = `/admin/v1/workspaces/${account.personal_workspace.workspace_id}/api-keys`
  const made = await api<{ secret: string }>(operator, "POST", keys, {
    name: "all",
    scopes: ["api:read", "api:write"]
  })
  return { url: server.url, key: made.secret }
}

const run = (role: string | null, ...statements: ReadonlyArray<string>): Promise<void> =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    for (const statement of statements) yield* sql.unsafe(statement)
  }).pipe(
    Effect.provide(PgClient.layer({
      url: Redacted.make(Object.assign(new URL(url), role === null ? {} : { username: role, password: "few" }).href),
      maxConnections: 1
    })),
    Effect.runPromise
  )

/** The round trips of a read of the settings, of a search, and of a change that is recorded, with these settings. */
const tripsOf = async (settings: Environment, trips: { readonly count: number }) => {
  const server = await startServer([], { TRIBUTARY_ADMIN_TOKEN: TOKEN, ...settings })
  onTestFinished(() => void server.child.kill("SIGKILL"))
  const caller = await unlimited(server)
  const { connector_id } = await api<{ connector_id: string }>(caller, "POST", "/v1/custom-connectors", {
    name: "Notes",
    source_name: "notes"
  })
  const items = [{ text: "The boiler is serviced in May." }]
  await api(caller, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, { items })

  /** The server's background work is small compared with this many requests. */
  const tripsOf = async (ask: () => Promise<unknown>): Promise<number> => {
    for (let warm = 0; warm < 5; warm++) await ask()
    const before = trips.count
    for (let request = 0; request < REQUESTS; request++) await ask()
    return Math.round((trips.count - before) / REQUESTS)
  }
  const asked = {
    settings: await tripsOf(() => api(caller, "GET", "/v1/knowledge/settings")),
    search: await tripsOf(() => api(caller, "POST", "/v1/knowledge/search", { q: "boiler" })),
    recorded: await tripsOf(() => api(caller, "PATCH", `/v1/custom-connectors/${connector_id}`, { name: "Notes" }))
  }
  assert.strictEqual(await server.stop(), 0)
  return asked
}

const newName = () => `trips_${crypto.randomUUID().replaceAll("-", "")}`

describe.skipIf(databaseUrl === null)("on Postgres", () => {
  it("a read of the context takes one round trip, a search two, and a recorded change three more than it would alone", async () => {
    const schema = newName()
    onTestFinished(() => run(null, `DROP SCHEMA ${schema} CASCADE`))
    const { trips, url: through } = await countedWire()
    const settings = { TRIBUTARY_DATABASE_URL: through, TRIBUTARY_DATABASE_SCHEMA: schema }
    assert.deepStrictEqual(await tripsOf(settings, trips), { settings: 1, search: 2, recorded: 6 })
  })

  it("they take no more with row-level security", async () => {
    const name = newName()
    await run(null, `CREATE ROLE ${name} LOGIN PASSWORD 'few'`, `CREATE SCHEMA ${name} AUTHORIZATION ${name}`)
    const { cleanUp, settings } = await secureRows(name, run)
    onTestFinished(() => run(null, `DROP SCHEMA ${name} CASCADE`, ...cleanUp, `DROP ROLE ${name}`))
    const { trips, url: through } = await countedWire()
    const asServer = new URL(settings["TRIBUTARY_DATABASE_URL"]!)
    asServer.host = new URL(through).host
    const counted = { ...settings, TRIBUTARY_DATABASE_URL: asServer.href }
    assert.deepStrictEqual(await tripsOf(counted, trips), { settings: 1, search: 2, recorded: 6 })
  })
})
