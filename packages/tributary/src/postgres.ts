/** Storage in a Postgres that other processes may share. */
import * as DatabaseClock from "@tributary/postgres/DatabaseClock"
import * as NodePostgres from "@tributary/postgres/NodePostgres"
import * as PostgresPorts from "@tributary/postgres/Postgres"
import * as PostgresClient from "@tributary/postgres/PostgresClient"
import { Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Parts } from "./parts.ts"

type Schema = Omit<PostgresPorts.PostgresOptions, "alone">

/** Connections of our own. */
interface Address extends Schema {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, of version 15 or newer. */
  readonly url: string
  /** 10 by default; at least 2, since one of them listens. */
  readonly maxConnections?: number | undefined
  readonly sql?: undefined
}

/**
 * The host's connections, which stay open when the knowledge base closes. One of them listens, unless there is only
 * one.
 */
interface Connections extends Schema {
  /** A pool of the package `pg`, or a `SqlClient` of Effect. */
  readonly sql: NodePostgres.Pool | SqlClient.SqlClient
  readonly url?: undefined
  readonly maxConnections?: undefined
}

export type Postgres = Address | Connections

const client = (options: Postgres) => {
  if (options.url !== undefined) {
    const { maxConnections = 10, url } = options
    return PostgresClient.layer({ url: Redacted.make(url), maxConnections })
  }
  return "connect" in options.sql ? NodePostgres.layer(options.sql) : Layer.succeed(SqlClient.SqlClient, options.sql)
}

/** The clock is the database's, as on every other process that shares it, unless the host has set one. */
export const layer = (
  { clock, migrate = "auto", schema = "tributary", systemRole, ...options }: Postgres & Pick<Parts, "clock">
) =>
  Layer.merge(
    PostgresPorts.layer({ migrate, schema, systemRole }),
    clock === undefined ? DatabaseClock.layer : Layer.empty
  ).pipe(Layer.provide(client(options)))
