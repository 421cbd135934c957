import { backendContract } from "@tributary/contract/backendContract"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"

const schema = newSchema()

/** Moves the ends of all leases and windows back, which is as if the database's clock went on. */
const advance = Effect.fnUntraced(function*(duration: Duration.Input) {
  const sql = yield* SqlClient.SqlClient
  const seconds = Duration.toSeconds(Duration.fromInputUnsafe(duration))
  yield* sql`UPDATE ${sql(`${schema}.jobs`)} SET lease_until = lease_until - make_interval(secs => ${seconds}::float8)`
  yield* sql`UPDATE ${sql(`${schema}.rate_windows`)} SET ends_at = ends_at - make_interval(secs => ${seconds}::float8)`
})

describePostgres("Postgres", () => backendContract("postgres", portsIn(schema), { advance }))
