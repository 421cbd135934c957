/** Work on much text, in portions: between them, anyone else who waits for the thread has a turn. */
import { Effect } from "effect"

/** Characters of work between two pauses. */
const PORTION = 262_144

/** Pauses once as much was done as a portion, over all calls. */
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
