/** Following the events of a workspace by looking for new ones again and again. */
import { Effect, Stream } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { EventRecord } from "../ports/DocumentStore.ts"

/** In milliseconds: so late an event may be noticed. */
const POLL = 1_000

const BATCH = 100

/** The first events after a number, at most this many. */
type Read = (since: number, limit: number) => Effect.Effect<ReadonlyArray<EventRecord>, StorageUnavailable>

/**
 * The number of the newest event, 0 when there is none. A store reads forwards only, so this closes in on the end: it
 * looks at about twice as many events as their count has binary digits.
 */
export const newestEvent = Effect.fnUntraced(function*(read: Read) {
  const firstAfter = (since: number) => Effect.map(read(since, 1), ([event]) => event?.event_seq ?? null)
  // There is an event numbered `low`, or none was seen; there was none after `high`.
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

/** Batches of the events after `since` that are wanted. All are read, so that nothing is read twice. */
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
