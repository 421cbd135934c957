/**
 * Writes a little later, together, what need not be written before a request is answered. The end of the scope writes
 * what waits; what waits when the process is killed is lost.
 */
import { type Duration, Effect, Latch, Semaphore } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"

interface Options<Batch> {
  /** The longest that something waits. */
  readonly delay: Duration.Input
  /** Takes out what is to be written next; null when nothing waits. */
  readonly take: () => Batch | null
  readonly write: (batch: Batch) => Effect.Effect<void, StorageUnavailable>
  /** Takes back what could not be written. */
  readonly restore: (batch: Batch) => void
}

export const makeWriteBehind = Effect.fnUntraced(function*<Batch>({ delay, restore, take, write }: Options<Batch>) {
  const due = Latch.makeUnsafe(false)
  const turns = yield* Semaphore.make(1)

  /** Writes one batch; false when nothing waited. Not interrupted midway, since a batch is written once. */
  const next = Effect.suspend(() => {
    const batch = take()
    if (batch === null) return Effect.succeed(false)
    return Effect.as(
      Effect.onError(write(batch), () => Effect.sync(() => restore(batch))),
      true
    )
  }).pipe(Effect.uninterruptible)

  /** Ends when all that waited is stored. */
  const flush = turns.withPermit(Effect.asVoid(Effect.repeat(next, { while: (wrote) => wrote })))
  const flushed = Effect.ignore(flush)

  yield* Effect.addFinalizer(() => flushed)
  yield* due.await.pipe(
    Effect.andThen(Effect.sleep(delay)),
    Effect.andThen(Effect.sync(() => due.closeUnsafe())),
    Effect.andThen(Effect.tapError(flush, () => Effect.sync(() => due.openUnsafe()))),
    Effect.ignore,
    Effect.forever,
    Effect.forkScoped
  )
  return {
    flush,
    /** Says that something waits. */
    schedule: () => due.openUnsafe()
  }
})
