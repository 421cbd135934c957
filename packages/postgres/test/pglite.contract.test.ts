import { backendContract } from "@tributary/contract/backendContract"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Postgres from "../src/Postgres.ts"
import { PgliteClient } from "../src/pglite/index.ts"

/** Moves the ends of all leases and windows back, which is as if the database's clock went on. */
const advance = Effect.fnUntraced(function*(duration: Duration.Input) {
  const sql = yield* SqlClient
  const seconds = Duration.toSeconds(Duration.fromInputUnsafe(duration))
  yield* sql`UPDATE tributary.jobs SET lease_until = lease_until - make_interval(secs => ${seconds}::float8)`
  yield* sql`UPDATE tributary.rate_windows SET ends_at = ends_at - make_interval(secs => ${seconds}::float8)`
})

backendContract("pglite", Layer.provideMerge(Postgres.layer(), PgliteClient.layer({ dataDir: null })), { advance })
