/** Requests that wait for an ask job. */
import { assert, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Duration, Effect, Fiber, Layer } from "effect"
import { JobStore } from "../../src/ports/JobStore.ts"
import { later } from "../../src/scheduling/LoopTurns.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { filled, serviceOn } from "../support/filled.ts"
import { page } from "../support/written.ts"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"

const WAITING = 200

const nextTurn = Effect.promise(() => new Promise<void>((resolve) => void later(resolve)))

it.effect("many that wait read their job in turns when another one changes, and all see the end of theirs", () => {
  let reads = 0
  const counted = Layer.effect(
    JobStore,
    Effect.map(
      JobStore,
      (store) => JobStore.of({ ...store, find: (...call) => Effect.suspend(() => (reads++, store.find(...call))) })
    )
  ).pipe(Layer.provide(Memory.layer))
  return Effect.gen(function*() {
    const id = yield* filled([page("rules", "2026-03-01T09:00:00Z", "Rules", "The harbour opens at six.")])
    const asks = yield* Asks
    const [awaited, other] = [yield* asks.askLater(id, { query: "a" }), yield* asks.askLater(id, { query: "b" })]
    const waiting = yield* Effect.forEach(
      Array(WAITING).fill(awaited.job_id),
      (job: string) => Effect.forkChild(asks.job(id, job, Duration.seconds(30)), { startImmediately: true })
    )
    assert.strictEqual(reads, WAITING)
    yield* asks.cancel(id, other.job_id)
    let most = 0
    for (let before = WAITING; before < 2 * WAITING; before = reads) {
      yield* nextTurn
      most = Math.max(most, reads - before)
    }
    assert.isAtMost(most, 4)
    yield* asks.cancel(id, awaited.job_id)
    for (const fiber of waiting) assert.strictEqual((yield* Fiber.join(fiber)).status, "cancelled")
  }).pipe(Effect.provide(serviceOn(Layer.merge(Memory.layer, counted), ExtractiveAnswerer.layer)))
})
