/** A separate schema for each test file, dropped at the end. */
import { PgClient } from "@effect/sql-pg"
import { describe } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Postgres from "../../src/Postgres.ts"
import { databaseUrl } from "./testServer.ts"

export const newSchema = (): string => `test_${crypto.randomUUID().replaceAll("-", "")}`

/** A pool, as a host would bring it. */
export const pool = (
  { url = databaseUrl ?? "", ...options }: Omit<Parameters<typeof PgClient.layer>[0], "url"> & {
    readonly url?: string
  } = {}
) => PgClient.layer({ url: Redacted.make(url), maxConnections: 10, ...options })

/** The schema goes away with the layer. */
export const dropped = (schema: string) =>
  Layer.effectDiscard(
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)))
    })
  )

/** Every port in this schema, which goes away with the layer. */
export const portsIn = (schema: string, url?: string) =>
  Postgres.layer({ schema }).pipe(
    Layer.provideMerge(dropped(schema)),
    Layer.provideMerge(pool(url === undefined ? {} : { url }))
  )

/** Moves the times of jobs and windows back, which is as if the database's clock went on. */
export const advanceIn = (schema: string) =>
  Effect.fnUntraced(function*(duration: Duration.Input) {
    const sql = yield* SqlClient.SqlClient
    const by = sql`make_interval(secs => ${Duration.toSeconds(Duration.fromInputUnsafe(duration))}::float8)`
    yield* sql`UPDATE ${sql(`${schema}.jobs`)} SET lease_until = lease_until - ${by} WHERE status = 'running'`
    yield* sql`UPDATE ${sql(`${schema}.jobs`)} SET queued_at = queued_at - ${by}, due_at = due_at - ${by}
      WHERE status = 'queued'`
    yield* sql`UPDATE ${sql(`${schema}.rate_windows`)} SET ends_at = ends_at - ${by} WHERE ends_at < '2090-01-01'`
  })

/** Tests that need a Postgres. */
export const describePostgres = databaseUrl === null ? describe.skip : describe
