/** Pruning in steps, so that no other work waits for long. */
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { stored } from "./storageErrors.ts"

export interface Pruned {
  readonly pruned: number
}

/**
 * At the end of a selection of rows to prune: those that a request holds are left to the next time, so that neither
 * waits for the other.
 */
export const unlockedRows = (sql: SqlClient.SqlClient) => sql.literal("FOR UPDATE SKIP LOCKED")

/** Repeats a statement that says how many rows it has deleted. */
export const pruneSteps = (length: number, step: Effect.Effect<ReadonlyArray<Pruned>, SqlError.SqlError>) =>
  repeatSteps(length, stored(step, ([row]) => row?.pruned ?? 0))

/** Deletes rows of a table in steps: `old` selects the `ctid` of those of a step, at most `length`. */
export const deleteSteps = (
  sql: SqlClient.SqlClient,
  length: number,
  table: Statement.Identifier,
  old: Statement.Fragment
) =>
  pruneSteps(
    length,
    sql<Pruned>`WITH old AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old})) RETURNING 1)
      SELECT count(*)::integer AS pruned FROM old`
  )
