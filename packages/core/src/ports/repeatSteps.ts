/** Pruning in steps, so that no other work waits for long. */
import { Effect } from "effect"
import type { Stored } from "./Storage.ts"

/** Repeats until a step prunes less than its limit. Returns the number of deleted rows. */
export const repeatSteps = Effect.fnUntraced(function*(limit: number, step: Stored<number>) {
  let pruned = 0
  for (let last = limit; last === limit; pruned += last) last = yield* step
  return pruned
})
