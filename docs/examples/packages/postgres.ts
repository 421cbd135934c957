/** Every storage port on a pool of ten connections. */
import * as Postgres from "@tributary/postgres/Postgres"
import * as PostgresClient from "@tributary/postgres/PostgresClient"
import { Layer, Redacted } from "effect"

const url = Redacted.make("postgres://localhost/knowledge")

export const storage = Layer.provide(
  Postgres.layer({ schema: "tributary" }),
  PostgresClient.layer({ url, maxConnections: 10 })
)
