/** Storage in a Postgres that other processes may share. */
import * as NodePostgres from "@tributary/postgres/NodePostgres"
import * as PostgresPorts from "@tributary/postgres/Postgres"
import * as PostgresClient from "@tributary/postgres/PostgresClient"
import { Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"

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

export const layer = ({ migrate = "auto", schema = "tributary", systemRole, ...options }: Postgres) =>
  PostgresPorts.layer({ migrate, schema, systemRole }).pipe(Layer.provide(client(options)))
