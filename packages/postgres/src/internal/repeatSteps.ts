/** Pruning in steps, so that no other work waits for long. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { stored } from "./storageErrors.ts"

interface Pruned {
  readonly pruned: number
}

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
