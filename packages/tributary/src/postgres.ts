/** Storage in a Postgres that other processes may share. */
import * as PostgresPorts from "@tributary/postgres/Postgres"
import * as PostgresClient from "@tributary/postgres/PostgresClient"
import { Layer, Redacted } from "effect"

export interface Postgres extends PostgresPorts.PostgresOptions {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE, of version 15 or newer. */
  readonly url: string
  /** 10 unless told; at least 2, since one of them listens. */
  readonly maxConnections?: number
}

export const layer = ({ maxConnections = 10, url, ...options }: Postgres) =>
  PostgresPorts.layer(options).pipe(
    Layer.provide(PostgresClient.layer({ url: Redacted.make(url), maxConnections }))
  )
