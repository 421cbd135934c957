/**
 * A node that ingests documents until it is killed: `node ingesting.ts <url> <schema> <workspace> <connector>`.
 *
 * It says each batch only after the store has answered for it.
 */
import { PgClient } from "@effect/sql-pg"
import { ConnectorId, WorkspaceId } from "@tributary/core/model/Id"
import { Effect, Layer, Redacted } from "effect"
import * as Postgres from "../../src/Postgres.ts"
import { admit, item } from "./source.ts"

const [url = "", schema = "", workspace = "", connector = ""] = process.argv.slice(2)
const source = { workspaceId: WorkspaceId.make(workspace), connectorId: ConnectorId.make(connector) }

const ingest = Effect.forEach(
  Array.from({ length: 4 }, (_, lane) => lane),
  Effect.fnUntraced(function*(lane) {
    for (let batch = 0;; batch++) {
      // Half of them again, half of them again.
      const ids = Array.from({ length: 20 }, (_, at) => at < 10 ? `${lane}-${batch}-${at}` : `${lane}-${at}`)
      yield* admit(source, ids.map((id) => item(id, `${id} in ${batch}`)))
      process.stdout.write(`${lane} ${batch}\n`)
    }
  }),
  { concurrency: "unbounded" }
)

const node = Postgres.layer({ schema }).pipe(
  Layer.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 5 }))
)
await Effect.runPromise(Effect.provide(ingest, node))
