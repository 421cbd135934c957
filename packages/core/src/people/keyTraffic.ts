/**
 * Counts the requests of keys by day. Counts are buffered in this process and written once a minute, so that requests
 * do not wait; if the process is killed, the buffer is lost.
 */
import { Effect } from "effect"
import { makeWriteBehind } from "../internal/writeBehind.ts"
import type { KeyTraffic } from "../model/ApiKey.ts"
import type { ApiKeyId } from "../model/Id.ts"
import { DAY, dayOf } from "../model/Day.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"

/** How many counts are written at a time. */
const BATCH = 1_000

/** The counts of one day since 1970. */
interface Batch {
  readonly day: number
  readonly counts: ReadonlyArray<readonly [ApiKeyId, number]>
}

/** Counts a request; valid while the scope is open. */
export const makeTrafficCounter = Effect.gen(function*() {
  const store = yield* ApiKeyStore
  const waiting = new Map<number, Map<ApiKeyId, number>>()

  const add = (key_id: ApiKeyId, day: number, requests: number): void => {
    const counts = waiting.get(day) ?? new Map<ApiKeyId, number>()
    if (counts.size === 0) waiting.set(day, counts)
    counts.set(key_id, (counts.get(key_id) ?? 0) + requests)
  }

  /** Removes one batch. */
  const take = (): Batch | null => {
    const [next] = waiting
    if (next === undefined) return null
    const [day, counts] = next
    const taken = [...counts].slice(0, BATCH)
    for (const [key_id] of taken) counts.delete(key_id)
    if (counts.size === 0) waiting.delete(day)
    return { day, counts: taken }
  }

  const { schedule } = yield* makeWriteBehind<Batch>({
    delay: "1 minute",
    take,
    write: ({ counts, day }) =>
      store.countRequests(
        counts.map(([key_id, requests]): KeyTraffic => ({ key_id, day: dayOf(day * DAY), requests }))
      ),
    restore: ({ counts, day }) => counts.forEach(([key_id, requests]) => add(key_id, day, requests))
  })
  return (key_id: ApiKeyId, now: number): void => {
    add(key_id, Math.floor(now / DAY), 1)
    schedule()
  }
})
