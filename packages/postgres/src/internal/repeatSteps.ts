/** Pruning in steps, so that no other work waits for long. */
import { Effect } from "effect"
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

/** Repeats until a step prunes less than its limit. Returns the number of deleted rows. */
export const repeatSteps = Effect.fnUntraced(function*(
  length: number,
  step: Effect.Effect<ReadonlyArray<Pruned>, SqlError.SqlError>
) {
  let pruned = 0
  for (let last = length; last === length;) {
    last = yield* stored(step, ([row]) => row?.pruned ?? 0)
    pruned += last
  }
  return pruned
})

/** Deletes rows of a table in steps: `old` selects the `ctid` of those of a step, at most `length`. */
export const deleteSteps = (
  sql: SqlClient.SqlClient,
  length: number,
  table: Statement.Identifier,
  old: Statement.Fragment
) =>
  repeatSteps(
    length,
    sql<Pruned>`WITH old AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old})) RETURNING 1)
      SELECT count(*)::integer AS pruned FROM old`
  )
