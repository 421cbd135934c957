/** Pruning in steps, so that no other write waits for long. */
import type { Stored } from "@tributary/core/ports/Storage"
import { Effect } from "effect"

/** Repeats until a step prunes less than its limit. Returns the number of deleted rows. */
export const repeatSteps = Effect.fnUntraced(function*(length: number, step: Stored<number>) {
  let pruned = 0
  for (let last = length; last === length; pruned += last) last = yield* step
  return pruned
})
