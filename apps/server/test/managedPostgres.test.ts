/** A managed Postgres: few connections, a pooler, a role without DDL rights, TLS. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { execFileSync } from "node:child_process"
import { chownSync, cpSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it, onTestFinished } from "vitest"
import { installedPgbouncer, startPgbouncer } from "../../../packages/postgres/test/support/pgbouncer.ts"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { programPath } from "../../../packages/sources/test/support/programs.ts"
import { commandHere } from "./commandHere.ts"
import { startInstalledPostgres } from "./installedPostgres.ts"
import { secureRows } from "./rowSecurity.ts"
import { api, type RunningServer, serve } from "./serverProcess.ts"

const url = databaseUrl ?? "postgres://none"
const schemas: Array<string> = []

const runAs = (role: string | null, ...statements: ReadonlyArray<string>): Promise<void> =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    for (const statement of statements) yield* sql.unsafe(statement)
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(role === null ? url : as(role)), maxConnections: 1 })),
    Effect.runPromise
  )

const run = (...statements: ReadonlyArray<string>): Promise<void> => runAs(null, ...statements)

/** The name of a schema, and of a role. */
const newName = () => {
  const schema = `managed_${crypto.randomUUID().replaceAll("-", "")}`
  schemas.push(schema)
  return schema
}

const as = (role: string): string => Object.assign(new URL(url), { username: role, password: "few" }).href

/** Concurrent ingest, refresh, searches and settings; then a deletion. */
const use = async (server: RunningServer): Promise<void> => {
  const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
    name: "Notes",
    source_name: "notes"
  })
  await Promise.all(Array.from({ length: 30 }, async (_, number) => {
    const items = [{ external_id: `note-${number}`, text: `Locker ${number} holds the badge of the visitor.` }]
    await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, { items })
    await api(server, "GET", "/v1/knowledge/settings")
  }))
  type SearchResponse = { readonly results: ReadonlyArray<{ readonly external_id: string }> }
  const find = async () => {
    const { results } = await api<SearchResponse>(server, "POST", "/v1/knowledge/search", { q: "locker 29", limit: 1 })
    return results[0]?.external_id
  }
  assert.strictEqual(await find(), "note-29")
  await api(server, "DELETE", `/v1/custom-connectors/${connector_id}/documents/note-29`)
  assert.notStrictEqual(await find(), "note-29")
  type Status = { readonly pending_documents: number }
  while ((await api<Status>(server, "GET", "/v1/knowledge/status")).pending_documents > 0) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.strictEqual(await server.stop(), 0)
  assert.notMatch(server.output.stderr, /error/i)
}

describe.skipIf(databaseUrl === null)("on a managed Postgres", () => {
  afterAll(() =>
    run(...schemas.flatMap((name) => [`DROP SCHEMA IF EXISTS ${name} CASCADE`, `DROP ROLE IF EXISTS ${name}`]))
  )

  it("a server works with 3 connections, the fewest, and opens no more", async () => {
    const name = newName()
    await run(
      `CREATE ROLE ${name} LOGIN PASSWORD 'few' CONNECTION LIMIT 3`,
      `CREATE SCHEMA ${name} AUTHORIZATION ${name}`
    )
    await use(
      await serve({
        TRIBUTARY_DATABASE_URL: as(name),
        TRIBUTARY_DATABASE_SCHEMA: name,
        TRIBUTARY_DATABASE_CONNECTIONS: "3"
      })
    )
  })

  it.skipIf(!installedPgbouncer())("a server works through PgBouncer, and reports the missing features", async () => {
    const pooler = await startPgbouncer(url, 5)
    onTestFinished(() => pooler.close())
    const server = await serve({ TRIBUTARY_DATABASE_URL: pooler.url, TRIBUTARY_DATABASE_SCHEMA: newName() })
    assert.include(server.output.stderr + server.output.stdout, "a pooler is in front of the database")
    await use(server)
  })

  it("a role without DDL rights serves a migrated schema, and reports one that is not migrated", async () => {
    const name = newName()
    await run(`CREATE ROLE ${name} LOGIN PASSWORD 'few'`)
    const limited = {
      TRIBUTARY_DATABASE_URL: as(name),
      TRIBUTARY_DATABASE_SCHEMA: name,
      TRIBUTARY_DATABASE_MIGRATE: "check"
    }
    const refusals = [limited, { ...limited, TRIBUTARY_DATABASE_MIGRATE: "auto" }]
    for (const settings of refusals) {
      const { code, stderr } = await commandHere(["serve"], settings)
      assert.strictEqual(code, 1)
      assert.match(stderr, new RegExp(`^The schema "${name}" is at migration 0, and this release needs \\d+\\. .+\n$`))
    }
    await commandHere(["migrate"], { TRIBUTARY_DATABASE_URL: url, TRIBUTARY_DATABASE_SCHEMA: name })
    await run(
      `GRANT USAGE ON SCHEMA ${name} TO ${name}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO ${name}`
    )
    const first = await serve(limited)
    await use(first)
    // If nothing has to change, no such right is needed.
    const again = await serve({ ...limited, TRIBUTARY_DATABASE_MIGRATE: "auto" }, first.key)
    assert.strictEqual(await again.stop(), 0)
  })

  it("a server works with row-level security as in the guide, and reports a missing setting", async () => {
    const name = newName()
    await run(`CREATE ROLE ${name} LOGIN PASSWORD 'few'`, `CREATE SCHEMA ${name} AUTHORIZATION ${name}`)
    const { cleanUp, settings } = await secureRows(name, runAs)
    onTestFinished(() => run(...cleanUp))
    const { TRIBUTARY_DATABASE_SYSTEM_ROLE: role, ...withoutRole } = settings
    assert.strictEqual(role, `${name}_system`)
    const { code, stderr } = await commandHere(["serve"], withoutRole)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^Row-level security holds the role "\w+" to the rows of one workspace\. .+\n$/)
    const first = await serve(settings)
    await use(first)
    const folder = mkdtempSync(join(tmpdir(), "tributary-rows-"))
    assert.strictEqual((await commandHere(["export", join(folder, "all")], settings)).code, 0)
    const owned = await serve({ TRIBUTARY_DATABASE_URL: as(name), TRIBUTARY_DATABASE_SCHEMA: name }, first.key)
    assert.strictEqual(await owned.stop(), 0)
  })
})

const openssl = (folder: string, ...args: ReadonlyArray<string>) =>
  void execFileSync(programPath("openssl")!, args, { cwd: folder, stdio: "pipe" })

/** A certificate for 127.0.0.1, and its authority's. */
const certify = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-tls-"))
  writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1")
  const key = ["-newkey", "rsa:2048", "-nodes", "-days", "2"]
  openssl(folder, "req", "-x509", ...key, "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.pem")
  openssl(folder, "req", ...key.slice(0, 3), "-subj", "/CN=db", "-keyout", "server.key", "-out", "server.csr")
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
  openssl(folder, "x509", "-req", "-in", "server.csr", ...signing, "-out", "server.crt")
  return folder
}

it("TLS is verified, with the certificates in the address", async () => {
  const certificates = certify()
  const postgres = await startInstalledPostgres({
    settings: ["ssl=on"],
    prepare: (data) => {
      const { gid, uid } = statSync(data)
      for (const name of readdirSync(certificates).filter((name) => name.startsWith("server."))) {
        cpSync(join(certificates, name), join(data, name))
        chownSync(join(data, name), uid, gid)
        execFileSync("chmod", ["600", join(data, name)])
      }
    }
  })
  if (postgres === null) return
  onTestFinished(() => postgres.close())
  const through = (query: string) => ({ TRIBUTARY_DATABASE_URL: `${postgres.url}?${query}` })
  const trusting = through(`sslmode=verify-full&sslrootcert=${join(certificates, "ca.pem")}`)
  assert.strictEqual((await commandHere(["migrate"], trusting)).code, 0)

  for (const query of ["sslmode=verify-full", "sslmode=require"]) {
    const { code, stderr } = await commandHere(["migrate"], through(query))
    assert.strictEqual(code, 1)
    assert.match(stderr, /certificate/)
  }
  const named = trusting.TRIBUTARY_DATABASE_URL.replace("127.0.0.1", "localhost")
  const other = await commandHere(["migrate"], { TRIBUTARY_DATABASE_URL: named })
  assert.strictEqual(other.code, 1)
  assert.match(other.stderr, /does not match certificate/)
  const absent = await commandHere(["migrate"], through("sslmode=verify-full&sslrootcert=/none.pem"))
  assert.strictEqual(absent.stderr, "The file \"/none.pem\" of the address's sslrootcert cannot be read.\n")
})
