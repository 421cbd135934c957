/**
 * Buffers writes that need not be durable before a request is answered. The end of the scope flushes the buffer; if the
 * process is killed, the buffer is lost.
 */
import { type Duration, Effect, Latch, Semaphore } from "effect"
import { keepRunning } from "../jobs/keepRunning.ts"
import type { StorageUnavailable } from "../model/Error.ts"

interface Options<Batch> {
  /** The maximum delay of a write. */
  readonly delay: Duration.Input
  /** Removes the next batch from the buffer; null if it is empty. */
  readonly take: () => Batch | null
  readonly write: (batch: Batch) => Effect.Effect<void, StorageUnavailable>
  /** Returns a batch that could not be written. */
  readonly restore: (batch: Batch) => void
}

export const makeWriteBehind = Effect.fnUntraced(function*<Batch>({ delay, restore, take, write }: Options<Batch>) {
  const due = Latch.makeUnsafe(false)
  const turns = yield* Semaphore.make(1)

  /** Writes one batch; false if the buffer was empty. Uninterruptible, because a batch must be written once. */
  const next = Effect.suspend(() => {
    const batch = take()
    if (batch === null) return Effect.succeed(false)
    return Effect.as(
      Effect.onError(write(batch), () => Effect.sync(() => restore(batch))),
      true
    )
  }).pipe(Effect.uninterruptible)

  /** Completes when the buffer is written. */
  const flush = turns.withPermit(Effect.asVoid(Effect.repeat(next, { while: (wrote) => wrote })))

  yield* Effect.addFinalizer(() =>
    Effect.catchTag(flush, "StorageUnavailable", (failure) => Effect.logWarning("buffered writes are lost", failure))
  )
  yield* due.await.pipe(
    Effect.andThen(Effect.sleep(delay)),
    Effect.andThen(Effect.sync(() => due.closeUnsafe())),
    Effect.andThen(Effect.onError(flush, () => Effect.sync(() => due.openUnsafe()))),
    keepRunning,
    Effect.forever,
    Effect.forkScoped
  )
  return {
    flush,
    /** Announces that the buffer is not empty. */
    schedule: () => due.openUnsafe()
  }
})
