/** How the workers of a process find and start jobs. */
import { assert, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Latch, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ASK_QUEUE } from "../../src/ask/askJobs.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { CONTEXT_QUEUE, refreshNowJob } from "../../src/context/contextJobs.ts"
import { nextTurn } from "../../src/scheduling/LoopTurns.ts"
import { Answerer } from "../../src/ports/Answerer.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"

const turns = Effect.forEach(
  Array.from({ length: 50 }),
  () => Effect.promise(() => new Promise<void>((resolve) => void nextTurn(resolve))),
  { discard: true }
)

const OUTCOME = { _tag: "Outcome", model: "none", related: [], warnings: [], truncated: false } as const

/** As many questions as a process answers at a time. */
const PLACES = 4

/** A service whose answers wait, each for its own latch, and the number of its claims; without hints it only polls. */
const waitingService = (hasHints: boolean) => {
  const counts = { claims: 0 }
  const answering: Array<Latch.Latch> = []
  const answerer = Layer.succeed(Answerer, {
    answer: () =>
      Stream.fromEffect(
        Effect.suspend(() => {
          const done = Latch.makeUnsafe()
          answering.push(done)
          return Effect.as(done.await, OUTCOME)
        })
      )
  })
  const counted = Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) =>
      JobStore.of({
        ...store,
        changed: hasHints ? store.changed : Effect.never,
        claim: (...call) => Effect.suspend(() => (counts.claims++, store.claim(...call)))
      }))
  )
  const store = Layer.provideMerge(counted, Memory.layer)
  const service = Tributary.layer.pipe(Layer.provide(answerer), Layer.provide(extractor))
  return { answering, counts, layer: Layer.provideMerge(service, store), service, store }
}

/** A workspace after everything that its creation starts. */
const workspace = Effect.gen(function*() {
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada", tier: "pro" })
  yield* Effect.repeat(TestClock.adjust("1 second"), { times: 2 })
  yield* turns
  return personal_workspace.workspace_id
})

it.effect("ask the store once for each change, whatever kinds of jobs there are", () => {
  const { counts, layer } = waitingService(true)
  return Effect.gen(function*() {
    const id = yield* workspace
    const before = counts.claims
    yield* (yield* JobStore).enqueue({ ...refreshNowJob(id, 0), run_at: new Date(8.64e15) }, null)
    yield* turns
    assert.strictEqual(counts.claims - before, 1)
  }).pipe(Effect.provide(layer))
})

it.effect("start a job as soon as a place is free", () => {
  const { answering, layer } = waitingService(false)
  return Effect.gen(function*() {
    const id = yield* workspace
    const asks = yield* Asks
    for (let asked = 0; asked <= PLACES; asked++) yield* asks.askLater(id, { query: `${asked}` })
    yield* TestClock.adjust("1 second")
    yield* turns
    assert.strictEqual(answering.length, PLACES)
    yield* answering[0]!.open
    yield* turns
    assert.strictEqual(answering.length, PLACES + 1)
  }).pipe(Effect.provide(layer))
})

it.effect("let others go first once a workspace has half of their places", () => {
  const { answering, layer } = waitingService(false)
  return Effect.gen(function*() {
    const [busy, other] = [yield* workspace, yield* workspace]
    const asks = yield* Asks
    for (let at = 0; at <= PLACES; at++) yield* asks.askLater(busy, { query: `${at}` })
    const { job_id } = yield* asks.askLater(other, { query: "later" })
    yield* TestClock.adjust("1 second")
    yield* turns
    assert.lengthOf(answering, PLACES)
    const found = yield* (yield* JobStore).find(other, ASK_QUEUE, job_id)
    assert.strictEqual(Option.getOrThrow(found).status, "running")
  }).pipe(Effect.provide(layer))
})

it.effect("bring contexts up to date while questions take all the time that they may", () => {
  const { answering, layer } = waitingService(true)
  return Effect.gen(function*() {
    const [busy, other] = [yield* workspace, yield* workspace]
    const asks = yield* Asks
    for (let at = 0; at <= PLACES; at++) yield* asks.askLater(busy, { query: `${at}` })
    yield* TestClock.adjust("1 second")
    yield* turns
    assert.lengthOf(answering, PLACES)
    const jobs = yield* JobStore
    const job = refreshNowJob(other, 1_000)
    yield* jobs.enqueue(job, null)
    yield* TestClock.adjust("1 second")
    yield* turns
    const found = yield* jobs.find(other, CONTEXT_QUEUE, job.job_id)
    assert.strictEqual(Option.getOrThrow(found).status, "succeeded")
  }).pipe(Effect.provide(layer))
})

/** Ends a service in the middle of a question, on a store that takes its time; what is left of the question's job. */
const leftBy = (moment: "claimed" | "answering") => {
  const { answering, service, store } = waitingService(true)
  let claimed = 0
  const slow = Layer.effect(
    JobStore,
    Effect.map(JobStore, (store) =>
      JobStore.of({
        ...store,
        claim: (...call) =>
          Effect.tap(
            store.claim(...call),
            Option.match({
              onNone: () => Effect.void,
              onSome: ({ job }) => Effect.andThen(Effect.sync(() => claimed += job.queue === ASK_QUEUE ? 1 : 0), turns)
            })
          ),
        finish: (...call) => Effect.tap(store.finish(...call), turns)
      }))
  )
  const begun = Effect.gen(function*() {
    const workspaceId = yield* workspace
    const { job_id } = yield* (yield* Asks).askLater(workspaceId, { query: "Q" })
    while ((moment === "claimed" ? claimed : answering.length) === 0) yield* Effect.yieldNow
    return { workspaceId, job_id }
  })
  return Effect.gen(function*() {
    const { job_id, workspaceId } = yield* Effect.provide(begun, service)
    return Option.getOrThrow(yield* (yield* JobStore).find(workspaceId, ASK_QUEUE, job_id))
  }).pipe(Effect.provide(Layer.provideMerge(slow, store)))
}

for (const moment of ["claimed", "answering"] as const) {
  it.effect(`requeue a job that is ${moment} when they end, as if it had not begun`, () =>
    Effect.map(leftBy(moment), (job) => assert.deepInclude(job, { status: "queued", attempt: 0 })))
}
