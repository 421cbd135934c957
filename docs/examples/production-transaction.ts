/** A row of the host and a document, both or neither: one transaction on one connection. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Search } from "@tributary/core/Search"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Postgres from "@tributary/postgres/Postgres"
import { Console, Effect, Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"

const schema = process.env["SCHEMA"] ?? "knowledge"
const url = Redacted.make(process.env["DATABASE_URL"] ?? "postgres://localhost/postgres")

const program = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const ingest = yield* Ingest
  const { personal_workspace: workspace } = yield* (yield* Workspaces).createAccount({ name: "Acme" })
  const { workspace_id } = workspace
  const { connector_id } = yield* (yield* Connectors).create(
    workspace,
    { name: "Orders", source_name: "orders" },
    OPERATOR
  )
  const orders = sql(`${schema}_orders`)
  yield* sql`CREATE TABLE ${orders} (number text PRIMARY KEY)`

  const order = (number: string) =>
    sql.withTransaction(Effect.gen(function*() {
      yield* ingest.text(workspace, connector_id, [{ external_id: number, text: `Order ${number}: two kites.` }])
      yield* sql`INSERT INTO ${orders} VALUES (${number})`
    }))
  yield* order("A-1")
  // The number is taken, so the row cannot be written, and its document is not there, either.
  yield* Effect.flip(Effect.andThen(sql`INSERT INTO ${orders} VALUES ('A-2')`, order("A-2")))

  const { results } = yield* (yield* Search).search(workspace_id, { q: "kites" })
  yield* Console.log(results.map(({ snippet }) => snippet).join())
  yield* sql`DROP TABLE ${orders}`
})

// One client for the host and the service: a transaction of the host is the one that the service's statements run in.
const client = PgClient.layer({ url, maxConnections: 5 })
const service = Tributary.layer.pipe(
  Layer.provide(Layer.mergeAll(Postgres.layer({ schema }), Extract.layer, ExtractiveAnswerer.layer)),
  Layer.provideMerge(client)
)
await Effect.runPromise(Effect.provide(program, service))
