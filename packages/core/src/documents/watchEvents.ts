/** Follows the events of a workspace by polling. */
import { Effect, Stream } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { EventRecord } from "../ports/DocumentStore.ts"

/** The polling interval in milliseconds. */
const POLL = 1_000

const BATCH = 100

/** The first events after a number, up to a limit. */
type Read = (since: number, limit: number) => Effect.Effect<ReadonlyArray<EventRecord>, StorageUnavailable>

/**
 * The number of the newest event, or 0. A store reads only forwards, so this is a binary search, which
 * reads about twice as many events as their count has binary digits.
 */
export const newestEvent = Effect.fnUntraced(function*(read: Read) {
  const firstAfter = (since: number) => Effect.map(read(since, 1), ([event]) => event?.event_seq ?? null)
  // An event numbered `low` exists, or none was seen; none exists after `high`.
  let low = 0
  let high = Infinity
  for (let step = 1; high === Infinity; step *= 2) {
    const next = yield* firstAfter(low + step - 1)
    if (next === null) high = low + step - 1
    else low = next
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const next = yield* firstAfter(middle)
    if (next === null) high = middle
    else low = next
  }
  return low
})

/** Batches of matching events after `since`. Others are read as well, so that nothing is read twice. */
export const eventsAfter = (since: number, read: Read, isWanted: (event: EventRecord) => boolean) =>
  Stream.unfold(
    since,
    Effect.fnUntraced(function*(after: number) {
      let seen = after
      while (true) {
        const batch = yield* read(seen, BATCH)
        seen = batch.at(-1)?.event_seq ?? seen
        const wanted = batch.filter(isWanted)
        if (wanted.length > 0) return [wanted, seen] as const
        if (batch.length < BATCH) yield* Effect.sleep(POLL)
      }
    })
  )
