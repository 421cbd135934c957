import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The number of statements on this schema that wait for a lock. */
export const waitingIn = (schema: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND strpos(query, ${schema}::text) > 0`
    return rows.length
  })

/** Whether one does. */
export const isWaitingIn = (schema: string) => Effect.map(waitingIn(schema), (waiting) => waiting > 0)
