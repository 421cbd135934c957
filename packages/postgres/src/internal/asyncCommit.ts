/** Commits that need not wait for the disk. */
import type { SqlClient } from "effect/sql"

/**
 * For the FROM of a statement outside of a transaction: its commit does not wait for the disk. The next commit that
 * waits covers it, so it is lost only together with everything after it.
 */
export const asyncCommit = (sql: SqlClient.SqlClient) =>
  sql.literal("set_config('synchronous_commit', 'off', true) AS unhurried")
