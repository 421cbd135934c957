/** Wakes those who wait for jobs to become ready or to end. */
import { Effect, Latch } from "effect"

export interface Announcements {
  /** Ends when a job may have become ready, or ended. */
  readonly changed: Effect.Effect<void>
  /** After `act`, which may have queued or ended a job. */
  announcing<A, E>(act: Effect.Effect<A, E>): Effect.Effect<A, E>
}

export const makeAnnouncements = (): Announcements => {
  let changed = Latch.makeUnsafe()
  const announce = Effect.sync(() => {
    const latch = changed
    // Replaced first, so that a waiter that waits again waits for the next change.
    changed = Latch.makeUnsafe()
    latch.openUnsafe()
  })
  return {
    changed: Effect.suspend(() => changed.await),
    announcing: (act) => Effect.tap(act, () => announce)
  }
}
