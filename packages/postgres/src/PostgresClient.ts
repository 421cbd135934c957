/**
 * A pool of connections to one Postgres, also behind a pooler (PgBouncer, RDS Proxy): then what a
 * connection has prepared, or listens for, may be gone with the next statement, so neither is done.
 */
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { UnsupportedDatabase } from "./UnsupportedDatabase.ts"

export interface PostgresClientOptions {
  /** `sslmode=verify-full` asks for TLS; `sslrootcert` names the certificates of who may vouch for the server. */
  readonly url: Redacted.Redacted
  /** 10 by default; at least 2 where jobs of other processes are to be heard of at once. */
  readonly maxConnections?: number
}

/** What libpq reads from the address and the driver does not. */
const rootCertificates = (url: Redacted.Redacted) => {
  const { searchParams } = new URL(Redacted.value(url))
  const path = searchParams.get("sslrootcert")
  if (path === null || path === "system" || searchParams.get("sslmode") === "disable") return Effect.succeed({})
  return Effect.try({
    try: () => ({ ssl: { ca: readFileSync(path, "utf8") } }),
    catch: () => new UnsupportedDatabase({ message: `The file "${path}" of the address's sslrootcert cannot be read.` })
  })
}

/** A pooler names a process of its own invention, and passes on what another one answers. */
const isPooled = Effect.fnUntraced(function*(config: PgConnection.Config) {
  const connection = yield* PgConnection.make(config)
  const { rows: [answer] } = yield* connection.query("SELECT pg_backend_pid() AS pid", [], false)
  return answer?.["pid"] !== connection.processId
}, Effect.scoped)

const make = Effect.fnUntraced(function*({ maxConnections = 10, url }: PostgresClientOptions) {
  const config = {
    url,
    applicationName: "tributary",
    connectTimeout: "10 seconds",
    ...(yield* rootCertificates(url))
  } as const
  const pooled = yield* isPooled(config)
  if (pooled) {
    yield* Effect.logWarning(
      "a pooler stands before the database: statements are not prepared, and jobs of other servers are polled for"
    )
  }
  return yield* PgClient.make({ ...config, maxConnections, prepare: !pooled })
})

export const layer = (options: PostgresClientOptions) => PgClient.layerFrom(make(options))
