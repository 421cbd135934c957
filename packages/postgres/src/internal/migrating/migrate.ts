/**
 * Brings the schema up to date, or looks whether it is.
 *
 * Everything happens in one transaction under one lock: of several nodes that start at once, one migrates and the
 * others wait and find nothing to do, and a node that dies midway leaves the schema as it was.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Migration } from "../../migrations/Migration.ts"
import { rowSecurity } from "../../migrations/rowSecurity.ts"
import { UnsupportedDatabase } from "../../UnsupportedDatabase.ts"
import { Database } from "../Database.ts"
import { inTransaction } from "../storageErrors.ts"
import { MIGRATION_LOCK_TIMEOUT, reportingWaits, retryingLocks } from "./migrationLocks.ts"

const OLDEST_VERSION = 150_000

interface Applied {
  readonly number: number
  readonly name: string
  readonly oldest_compatible: number
}

const isForbidden = ({ reason }: SqlError.SqlError): boolean => reason._tag === "AuthorizationError"

const refuse = (message: string) => Effect.fail(new UnsupportedDatabase({ message }))

const checkServer = Effect.gen(function*() {
  const { sql } = yield* Database
  const [server] = yield* sql<{ readonly number: number; readonly version: string; readonly encoding: string }>`
    SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding`
  if (server === undefined || server.number < OLDEST_VERSION) {
    return yield* refuse(
      `This is Postgres ${server?.version}; version 15 or newer is needed. Upgrade the database server.`
    )
  }
  if (server.encoding !== "UTF8") {
    return yield* refuse(
      `The database's encoding is ${server.encoding}; all text is kept only in UTF8. ` +
        `Create the database with ENCODING 'UTF8'.`
    )
  }
})

/** A node that knows `known` migrations, before a schema that has taken `applied` ones. */
const checkApplied = (schema: string, known: ReadonlyArray<Migration>, applied: ReadonlyArray<Applied>) => {
  const needed = Math.max(0, ...applied.map(({ oldest_compatible }) => oldest_compatible))
  if (needed > known.length) {
    return refuse(
      `The schema "${schema}" was migrated by a newer release (migration ${applied.length}), which works with none ` +
        `older than migration ${needed}; this release ends at ${known.length}. Start a newer release.`
    )
  }
  const foreign = applied.find(({ name, number }) => number <= known.length && known[number - 1]?.name !== name)
  return foreign === undefined
    ? Effect.void
    : refuse(
      `The schema "${schema}" was not made by this software: its migration ${foreign.number} is "${foreign.name}". ` +
        `Choose another schema.`
    )
}

/** The migrations of the schema; empty if the schema does not exist. */
const readApplied = Effect.gen(function*() {
  const { our, schema, sql } = yield* Database
  // Checked without creating it, because a role that only uses the schema may lack the right to create.
  const [found] = yield* sql<{ readonly schema: boolean; readonly migrations: boolean }>`SELECT
      EXISTS (SELECT FROM pg_catalog.pg_namespace n WHERE n.nspname = ${schema}::text) AS schema,
      EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ${schema}::text AND c.relname = 'migrations') AS migrations`
  const applied = found?.migrations === true
    ? yield* sql<Applied>`SELECT number, name, oldest_compatible FROM ${our("migrations")} ORDER BY number`
    : []
  return { hasSchema: found?.schema === true, hasTable: found?.migrations === true, applied }
})

const behind = (schema: string, applied: number, known: number, advice: string) =>
  new UnsupportedDatabase({
    message: `The schema "${schema}" is at migration ${applied}, and this release needs ${known}. ${advice}`
  })

/** Changes nothing. */
export const check = Effect.fn("Postgres.check")(function*(known: ReadonlyArray<Migration>) {
  yield* checkServer
  const { schema } = yield* Database
  const { applied } = yield* readApplied
  yield* checkApplied(schema, known, applied)
  if (applied.length < known.length) {
    return yield* behind(
      schema,
      applied.length,
      known.length,
      "Run \"tributary migrate\" first, or open it once with migrate \"auto\", as a role that may change it."
    )
  }
})

/** Says how many migrations were taken. */
export const migrate = Effect.fn("Postgres.migrate")(function*(known: ReadonlyArray<Migration>) {
  const { our, schema, sql } = yield* Database
  const quoted = `"${schema}"`
  const run = (statement: string) => sql.unsafe(statement).unprepared

  const take = Effect.fnUntraced(function*({ name, oldestCompatible, statements }: Migration, number: number) {
    for (const statement of statements(quoted)) yield* run(statement)
    yield* sql`INSERT INTO ${our("migrations")} (number, name, oldest_compatible)
      VALUES (${number}::integer, ${name}::text, ${oldestCompatible}::integer)`
  })

  const catchUp = Effect.fnUntraced(function*(inSession: (pid: number) => void) {
    // Waits for a long migration of another server, whatever statement timeout the host has set.
    yield* run("SET LOCAL lock_timeout = 0")
    yield* run("SET LOCAL statement_timeout = 0")
    const [session] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
    inSession(session!.pid)
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tributary migrations ${schema}`}::text, 0))::text`
    yield* run(`SET LOCAL lock_timeout = '${MIGRATION_LOCK_TIMEOUT}'`)
    const { applied, hasSchema, hasTable } = yield* readApplied
    yield* checkApplied(schema, known, applied)
    const due = known.slice(applied.length)
    const advice = "The role may not change it: migrate as one that may."
    const change = Effect.gen(function*() {
      if (!hasSchema) yield* run(`CREATE SCHEMA ${quoted}`)
      if (!hasTable) {
        yield* run(`CREATE TABLE ${quoted}.migrations (
          number integer PRIMARY KEY,
          name text NOT NULL,
          oldest_compatible integer NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT now()
        )`)
      }
      yield* Effect.forEach(due, (migration, index) => take(migration, applied.length + index + 1), { discard: true })
      // Applies row-level security to new tables, if it is on.
      if (due.length > 0 && known.includes(rowSecurity)) yield* sql`SELECT ${our("secure_new_rows")}()::text`
    })
    yield* Effect.catchTag(
      change,
      "SqlError",
      (error) => Effect.fail(isForbidden(error) ? behind(schema, applied.length, known.length, advice) : error)
    )
    return due.length
  })

  yield* checkServer
  return yield* reportingWaits((inSession) => retryingLocks(inTransaction(sql, catchUp(inSession))))
})
