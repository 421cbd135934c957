/** Pruning in steps, so that no other work waits for long. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { stored } from "./storageErrors.ts"

interface Pruned {
  readonly pruned: number
}

/** Until a step prunes less than it may. Says how many rows are gone. */
export const inSteps = Effect.fnUntraced(function*(
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
