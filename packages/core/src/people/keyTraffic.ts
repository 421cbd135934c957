/**
 * Counts the requests of keys by the day. Counts wait in this process and are written once a minute, so that a request
 * pays for none of it; what waits when the process is killed is lost.
 */
import { Effect, Latch } from "effect"
import type { KeyTraffic } from "../model/ApiKey.ts"
import type { ApiKeyId } from "../model/Id.ts"
import { DAY } from "../model/Timestamp.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** How many keys and days are written at a time. */
const BATCH = 1_000

/** What notes a request, for as long as the scope is open. */
export const countingTraffic = Effect.gen(function*() {
  const store = yield* ApiKeyStore
  /** By day, counted from 1970, and key. */
  const waiting = new Map<number, Map<ApiKeyId, number>>()
  const due = Latch.makeUnsafe(false)

  const add = (key_id: ApiKeyId, day: number, requests: number): void => {
    const counts = waiting.get(day) ?? new Map<ApiKeyId, number>()
    if (counts.size === 0) waiting.set(day, counts)
    counts.set(key_id, (counts.get(key_id) ?? 0) + requests)
    due.openUnsafe()
  }

  /** Takes out what fits one batch, of one day. */
  const take = (day: number, counts: Map<ApiKeyId, number>): ReadonlyArray<KeyTraffic> => {
    const taken = [...counts].slice(0, BATCH)
    for (const [key_id] of taken) counts.delete(key_id)
    if (counts.size === 0) waiting.delete(day)
    return taken.map(([key_id, requests]) => ({ key_id, day: dayOf(day * DAY), requests }))
  }

  const write = Effect.suspend(() => {
    const [next] = waiting
    if (next === undefined) return Effect.void
    const [day] = next
    const counts = take(...next)
    return Effect.onError(
      store.countRequests(counts),
      () => Effect.sync(() => counts.forEach(({ key_id, requests }) => add(key_id, day, requests)))
    )
  })
  const writeAll = Effect.ignore(Effect.repeat(write, { while: () => waiting.size > 0 }))

  yield* Effect.addFinalizer(() => writeAll)
  yield* due.await.pipe(
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.andThen(Effect.sync(() => due.closeUnsafe())),
    Effect.andThen(writeAll),
    Effect.forever,
    Effect.forkScoped
  )
  return (key_id: ApiKeyId, now: number) => add(key_id, Math.floor(now / DAY), 1)
})
