/** Wakes all who wait for a change, as for `JobStore.changed`. */
import { Effect, Latch } from "effect"

export class ChangeSignal {
  #next = Latch.makeUnsafe()

  /** Ends at the next announcement. */
  readonly changed: Effect.Effect<void> = Effect.suspend(() => this.#next.await)

  readonly announce: Effect.Effect<void> = Effect.sync(() => this.announceUnsafe())

  announceUnsafe(): void {
    const latch = this.#next
    // Replaced first, so that a waiter that waits again waits for the next change.
    this.#next = Latch.makeUnsafe()
    latch.openUnsafe()
  }
}
