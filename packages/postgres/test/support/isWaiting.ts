import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether a statement on this schema waits for a lock. */
export const isWaitingIn = (schema: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND strpos(query, ${schema}::text) > 0`
    return rows.length > 0
  })
