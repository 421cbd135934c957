/**
 * A connection pool for one Postgres, also behind a pooler (PgBouncer, RDS Proxy). There, prepared statements and
 * LISTEN may be lost with the next statement, so neither is used.
 */
import { PgClient, PgConnection } from "@effect/sql-pg"
import { checkNumbers } from "@tributary/core/model/NumberRule"
import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { MAX_CONNECTIONS } from "./maxConnections.ts"
import { UnsupportedDatabase } from "./UnsupportedDatabase.ts"

/** The state of a sync is one row, and has 11 bytes for each file of a folder. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

export interface PostgresClientOptions {
  /** `sslmode=verify-full` requires TLS; `sslrootcert` names the file with trusted certificates. */
  readonly url: Redacted.Redacted
  /** 10 by default; at least 2, since one of them listens for jobs of other processes. */
  readonly maxConnections?: number
}

/** Parameters of the address that libpq reads and the driver does not. */
const rootCertificates = (url: Redacted.Redacted) => {
  const { searchParams } = new URL(Redacted.value(url))
  const path = searchParams.get("sslrootcert")
  if (path === null || path === "system" || searchParams.get("sslmode") === "disable") return Effect.succeed({})
  return Effect.try({
    try: () => ({ ssl: { ca: readFileSync(path, "utf8") } }),
    catch: () => new UnsupportedDatabase({ message: `The file "${path}" of the address's sslrootcert cannot be read.` })
  })
}

/** Whatever the database's or the role's own settings. A pooler refuses such parameters. */
const SESSION = {
  // Every statement is short. Compiling one takes half a second, and after a bulk load all seem worth it.
  jit: "off",
  // Statements that wait for a lock read what its holder wrote; at other levels they fail.
  default_transaction_isolation: "read committed"
}

/**
 * Where the database has no setting of its own: a lock of another session, as of an ALTER TABLE or a transaction that
 * nobody ends, would stall every request that needs what it locks.
 */
const LOCK_TIMEOUT = "30s"

/** A pooler invents a process id, and another process answers. */
const probe = Effect.fnUntraced(function*(config: PgConnection.Config) {
  const connection = yield* PgConnection.make(config)
  const { rows: [answer] } = yield* connection.query(
    "SELECT pg_backend_pid() AS pid, current_setting('lock_timeout') AS lock_timeout",
    [],
    false
  )
  return { isPooled: answer?.["pid"] !== connection.processId, hasLockTimeout: answer?.["lock_timeout"] !== "0" }
}, Effect.scoped)

const make = Effect.fnUntraced(function*({ maxConnections = 10, url }: PostgresClientOptions) {
  checkNumbers({ maxConnections: MAX_CONNECTIONS }, { maxConnections })
  const config = {
    url,
    applicationName: "tributary",
    connectTimeout: "10 seconds",
    ...(yield* rootCertificates(url))
  } as const
  const { hasLockTimeout, isPooled } = yield* probe(config)
  if (isPooled) {
    yield* Effect.logWarning(
      "a pooler is in front of the database: statements are not prepared, and jobs of other servers are polled for"
    )
  }
  if (isPooled && !hasLockTimeout) {
    yield* Effect.logWarning(
      "no lock_timeout: a lock of another session stalls requests for a minute; set one for the role, as by " +
        `ALTER ROLE ... SET lock_timeout = '${LOCK_TIMEOUT}'`
    )
  }
  return yield* PgClient.make({
    ...config,
    maxConnections,
    prepare: !isPooled,
    maxMessageSize: MAX_MESSAGE_BYTES,
    startupParameters: isPooled ? {} : { ...SESSION, ...(hasLockTimeout ? {} : { lock_timeout: LOCK_TIMEOUT }) }
  })
})

export const layer = (options: PostgresClientOptions) => PgClient.layerFrom(make(options))
