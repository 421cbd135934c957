/** For a host's own tests: the whole service in memory, with a clock that only the test moves. */
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { WebhookStore } from "@tributary/core/ports/WebhookStore"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Context, type Duration, Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { openWith } from "./open.ts"

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

/**
 * Background work polls every few seconds. While the gate is closed it waits instead, so that a year passes at once.
 * What waited sees the time at which the gate opens, not the one at which it came.
 */
const gated = (gate: Latch.Latch) =>
  Layer.effectContext(Effect.gen(function*() {
    const jobs = yield* JobStore
    const connections = yield* ConnectionStore
    const webhooks = yield* WebhookStore
    return Context.make(JobStore, {
      ...jobs,
      claim: (queues, lease) => gate.whenOpen(Effect.flatMap(now, (now) => jobs.claim(queues, lease, now))),
      reap: () => gate.whenOpen(Effect.flatMap(now, (now) => jobs.reap(now))),
      prune: (before) => gate.whenOpen(jobs.prune(before))
    }).pipe(
      Context.add(ConnectionStore, {
        ...connections,
        due: (_, limit) => gate.whenOpen(Effect.flatMap(now, (now) => connections.due(now, limit)))
      }),
      Context.add(WebhookStore, {
        ...webhooks,
        due: (_, limit) => gate.whenOpen(Effect.flatMap(now, (now) => webhooks.due(now, limit)))
      })
    )
  }))

/**
 * A knowledge base whose time begins at 1970 and stands still until `advance` moves it: ranges, rate windows and
 * background work follow. Calls themselves take as long as they take.
 */
export const openForTests = async () => {
  const clock = await Effect.runPromise(Effect.scoped(Layer.build(TestClock.layer())))
  const gate = Latch.makeUnsafe(true)
  const backend = gated(gate).pipe(Layer.provideMerge(Memory.layer), Layer.provideMerge(Layer.succeedContext(clock)))
  const kb = await openWith(backend)

  const advance = Effect.fnUntraced(function*(duration: Duration.Input) {
    yield* gate.close
    yield* TestClock.adjust(duration)
    yield* gate.open
    yield* TestClock.adjust(0)
  })

  return {
    kb,
    /** Moves the clock. What has become due begins; wait for it as any caller does, with `waitUntilUpToDate`. */
    advance: (duration: Duration.Input) => Effect.runPromiseWith(clock)(advance(duration)),
    [Symbol.asyncDispose]: () => kb.close()
  }
}
