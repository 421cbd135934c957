/** Storage in a Postgres that other processes may share. */
import * as PostgresPorts from "@tributary/postgres/Postgres"
import * as PostgresClient from "@tributary/postgres/PostgresClient"
import { Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"

export interface Postgres extends Omit<PostgresPorts.PostgresOptions, "alone"> {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, of version 15 or newer; or a client that the host has open. */
  readonly url: string | SqlClient.SqlClient
  /** 10 by default; at least 2, since one of them listens. Of no effect with a client of the host. */
  readonly maxConnections?: number
}

const client = (url: Postgres["url"], maxConnections: number) =>
  typeof url === "string"
    ? PostgresClient.layer({ url: Redacted.make(url), maxConnections })
    : Layer.succeed(SqlClient.SqlClient, url)

export const layer = ({ maxConnections = 10, migrate = "auto", schema = "tributary", url }: Postgres) =>
  PostgresPorts.layer({ migrate, schema }).pipe(Layer.provide(client(url, maxConnections)))
