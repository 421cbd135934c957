/** Background work over a storage that fails where it should not, with time in the test's hands. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Clock, type Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

/** The whole service, with a port of its store changed. */
const service = <I, S extends object>(port: Context.Key<I, S>, change: (store: S) => Partial<S>) => {
  const changed = Layer.effect(port, Effect.map(port, (store) => ({ ...store, ...change(store) })))
  return Tributary.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provideMerge(Layer.provideMerge(changed, Memory.layer)),
    Layer.provide(extractor)
  )
}

/** A document comes in, and time passes: what is the state of the context? */
const statusAfterIngest = Effect.gen(function*() {
  const { id, source: connector_id, workspace } = yield* connected()
  yield* (yield* Ingest).text(workspace, connector_id, [{ external_id: "a", text: "alpha" }])
  yield* Effect.repeat(TestClock.adjust("1 second"), { times: 30 })
  return yield* (yield* KnowledgeContext).status(id)
})

it.effect("a build whose snapshot is refused is repeated", () => {
  let refusals = 0
  const refusing = service(KnowledgeStore, (store) => ({
    publish: (...given) => refusals++ === 0 ? Effect.succeed(false) : store.publish(...given)
  }))
  return Effect.gen(function*() {
    assert.deepInclude(yield* statusAfterIngest, { state: "ready", pending_documents: 0 })
    assert.strictEqual(refusals, 2)
  }).pipe(Effect.provide(refusing))
})

it.effect("a build that is tried again says why, in the meantime", () => {
  let isFull = true
  const failing = service(KnowledgeStore, (store) => ({
    publish: (...given) =>
      Effect.suspend(() => isFull ? Effect.fail(new StorageUnavailable({ cause: "full" })) : store.publish(...given))
  }))
  return Effect.gen(function*() {
    const context = yield* KnowledgeContext
    const { id, source: connector_id, workspace } = yield* connected()
    const after = (seconds: number) =>
      Effect.andThen(Effect.repeat(TestClock.adjust("1 second"), { times: seconds }), context.status(id))
    const error = (next: number) =>
      "The service is currently experiencing issues. Please try again later. " +
      `The next attempt is at ${new Date(next * 1_000).toISOString()}.`
    yield* (yield* Ingest).text(workspace, connector_id, [{ external_id: "a", text: "alpha" }])
    assert.deepInclude(yield* after(5), { up_to_date: true, pending_documents: 1, error: error(8) })
    yield* context.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
    assert.deepInclude(yield* context.status(id), { state: "rebuilding", error: null })
    assert.deepInclude(yield* after(5), { state: "rebuilding", error: error(14) })
    isFull = false
    assert.deepInclude(yield* after(20), { state: "ready", pending_documents: 0, error: null })
  }).pipe(Effect.provide(failing))
})

it.effect("a build that fails again and again is tried once a minute, however much changes, until it succeeds", () => {
  const disk = { isFull: true, tries: 0 }
  const failing = service(KnowledgeStore, (store) => ({
    publish: (...given) =>
      Effect.suspend(() => {
        disk.tries++
        return disk.isFull ? Effect.fail(new StorageUnavailable({ cause: "full" })) : store.publish(...given)
      })
  }))
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected()
    const ingest = yield* Ingest
    const minute = Effect.gen(function*() {
      yield* ingest.text(workspace, connector_id, [{ external_id: "a", text: `${disk.tries} alpha` }])
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 60 })
      return yield* (yield* KnowledgeContext).status(id)
    })
    yield* Effect.repeat(minute, { times: 30 })
    assert.isAtMost(disk.tries, 40)
    const status = yield* minute
    assert.strictEqual(status.state, "failed")
    const [, reason, next] = /^(.+) The next attempt is at (\S+Z)\.$/.exec(status.error!)!
    assert.include(reason, "experiencing issues")
    const due = Date.parse(next!)
    assert.isAbove(due, yield* Clock.currentTimeMillis)
    disk.isFull = false
    yield* TestClock.setTime(due)
    assert.deepInclude(yield* minute, { state: "ready", pending_documents: 0, error: null })
  }).pipe(Effect.provide(failing))
})

it.effect("a worker that has lost its lease publishes nothing, even if nothing else has changed", () => {
  let claims = 0
  const losing = service(JobStore, (store) => ({
    claim: (...given) =>
      Effect.map(
        store.claim(...given),
        Option.map((claim) => claims++ === 0 ? { ...claim, lease: "another one's" } : claim)
      )
  }))
  return Effect.gen(function*() {
    assert.deepInclude(yield* statusAfterIngest, { pending_documents: 1, latest_snapshot: null })
    assert.strictEqual(claims, 1)
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 30 })
    assert.strictEqual(claims, 2)
  }).pipe(Effect.provide(losing))
})

it.effect("a bug in the store's claims or reaping does not stop the worker permanently", () => {
  const bugs = { claim: 0, reap: 0 }
  const failing = service(JobStore, (store) => ({
    claim: (...given) => bugs.claim++ === 0 ? Effect.die("a bug") : store.claim(...given),
    reap: (...given) => bugs.reap++ === 0 ? Effect.die("a bug") : store.reap(...given)
  }))
  return Effect.gen(function*() {
    assert.deepInclude(yield* statusAfterIngest, { state: "ready", pending_documents: 0 })
    assert.isAbove(bugs.reap, 1)
  }).pipe(Effect.provide(failing))
})
