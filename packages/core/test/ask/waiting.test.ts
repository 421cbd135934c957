/** Ask jobs that wait, and requests that wait for them. */
import { assert, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Duration, Effect, Fiber, Layer, Option } from "effect"
import { JobStore } from "../../src/ports/JobStore.ts"
import { nextTurn } from "../../src/scheduling/LoopTurns.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { filled, service, serviceOn } from "../support/filled.ts"
import { page } from "../support/written.ts"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"

const RULES = page("rules", "2026-03-01T09:00:00Z", "Rules", "The harbour opens at six.")

const WAITING = 200

const anotherTurn = Effect.promise(() => new Promise<void>((resolve) => void nextTurn(resolve)))

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
    const id = yield* filled([RULES])
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
      yield* anotherTurn
      most = Math.max(most, reads - before)
    }
    assert.isAtMost(most, 4)
    yield* asks.cancel(id, awaited.job_id)
    for (const fiber of waiting) assert.strictEqual((yield* Fiber.join(fiber)).status, "cancelled")
  }).pipe(Effect.provide(serviceOn(Layer.merge(Memory.layer, counted), ExtractiveAnswerer.layer)))
})

it.effect("a workspace has at most 1,000 questions waiting, and takes another one when one of them is cancelled", () =>
  Effect.gen(function*() {
    const id = yield* filled([RULES])
    const asks = yield* Asks
    const ask = asks.askLater(id, { query: "When does the harbour open?" })
    const { job_id } = yield* ask
    for (let waiting = 1; waiting < 1_000; waiting++) yield* ask
    assert.strictEqual((yield* Effect.flip(ask))._tag, "Overloaded")
    yield* asks.cancel(id, job_id)
    assert.strictEqual((yield* ask).status, "queued")
  }).pipe(Effect.provide(service)))

it.effect("a question to a workspace that is erased after the request was let in is refused like its key", () =>
  Effect.gen(function*() {
    const id = yield* filled([RULES])
    yield* (yield* Workspaces).erase(id)
    const refused = yield* Effect.flip((yield* Asks).askLater(id, { query: "When does the harbour open?" }))
    assert.strictEqual(refused._tag, "authentication_error")
  }).pipe(Effect.provide(service)))

it.effect("the error of an attempt is shown only if no other one follows", () =>
  Effect.gen(function*() {
    const store = yield* JobStore
    const id = yield* filled([RULES])
    const asks = yield* Asks
    const { job_id } = yield* asks.askLater(id, { query: "When does the harbour open?" })
    const error = { error_code: "service_unavailable", message: "Away." }
    const end = Effect.fnUntraced(function*(outcome: Parameters<typeof store.finish>[2]) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const { lease } = Option.getOrThrow(yield* store.claim(["ask"], Duration.seconds(30), now))
      yield* store.finish(job_id, lease, outcome, now)
      const { attempt, error, status } = yield* asks.job(id, job_id, Duration.zero)
      return { attempt, error, status }
    })
    const retried = yield* end({ _tag: "Retry", error, at: new Date(0) })
    assert.deepStrictEqual(retried, { attempt: 1, error: null, status: "queued" })
    assert.deepStrictEqual(yield* end({ _tag: "Failed", error }), { attempt: 2, error, status: "failed" })
  }).pipe(Effect.provide(Layer.provideMerge(serviceOn(Memory.layer, ExtractiveAnswerer.layer), Memory.layer))))
