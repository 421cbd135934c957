/** Splits long text processing into portions, and yields to other work in between. */
import { Effect } from "effect"

/** Characters of work between two pauses. */
const PORTION = 262_144

/** Yields once a portion has been processed, over all calls. */
export const makePacing = () => {
  let done = 0
  return (characters: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      done += characters
      if (done < PORTION) return Effect.void
      done = 0
      return Effect.yieldNow
    })
}
export type Pacing = ReturnType<typeof makePacing>
