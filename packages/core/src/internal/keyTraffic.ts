/**
 * Counts the requests of keys by the day. Counts wait in this process and are written once a minute, so that a request
 * pays for none of it; what waits when the process is killed is lost.
 */
import { Effect, Latch } from "effect"
import type { KeyTraffic } from "../model/ApiKey.ts"
import type { ApiKeyId } from "../model/Id.ts"
import { ApiKeyStore } from "../ports/ApiKeyStore.ts"

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** So many keys and days are written at a time. */
const BATCH = 1_000

/** What notes a request, for as long as the scope is open. */
export const countingTraffic = Effect.gen(function*() {
  const store = yield* ApiKeyStore
  const waiting = new Map<string, KeyTraffic>()
  const due = Latch.makeUnsafe(false)

  const add = (key_id: ApiKeyId, day: string, requests: number): void => {
    const id = `${key_id} ${day}`
    due.openUnsafe()
    waiting.set(id, { key_id, day, requests: (waiting.get(id)?.requests ?? 0) + requests })
  }

  const write = Effect.suspend(() => {
    const counts = [...waiting.values()].slice(0, BATCH)
    if (counts.length === 0) return Effect.void
    for (const { day, key_id } of counts) waiting.delete(`${key_id} ${day}`)
    return Effect.onError(
      store.countRequests(counts),
      () => Effect.sync(() => counts.forEach(({ day, key_id, requests }) => add(key_id, day, requests)))
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
  return (key_id: ApiKeyId, now: number) => add(key_id, dayOf(now), 1)
})
