/** Wakes those who wait for jobs to become ready or to end. */
import { ChangeSignal } from "@tributary/core/ports/ChangeSignal"
import { Effect } from "effect"

export interface Announcements {
  /** Ends when a job may have become ready, or ended. */
  readonly changed: Effect.Effect<void>
  /** After `act`, which may have queued or ended a job. */
  announcing<A, E>(act: Effect.Effect<A, E>): Effect.Effect<A, E>
}

export const makeAnnouncements = (): Announcements => {
  const { announce, changed } = new ChangeSignal()
  return { changed, announcing: (act) => Effect.tap(act, () => announce) }
}
