/** How the steps of a rebuild overlap, also with changes. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { IndexBuilder } from "../../src/ports/IndexBuilder.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor, serviceOver, settle } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

const DAY = 86_400_000

it.effect("a rebuild stores one segment while it builds the next, and never two at once", () => {
  let drafts = 0
  let storing = 0
  const seen: Array<{ readonly storing: number; readonly drafts: number }> = []
  // Only a rebuild makes drafts.
  const builder = Layer.effect(
    IndexBuilder,
    Effect.map(
      IndexBuilder,
      (inner) => ({ ...inner, draft: Effect.tap(inner.draft, () => Effect.sync(() => drafts++)) })
    )
  )
  const store = Layer.effect(
    KnowledgeStore,
    Effect.map(KnowledgeStore, (inner) => ({
      ...inner,
      putSegment: Effect.fnUntraced(function*(...given: Parameters<typeof inner.putSegment>) {
        storing++
        for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
        if (drafts > 0) seen.push({ storing, drafts })
        yield* inner.putSegment(...given)
        storing--
      })
    }))
  )
  const service = Tributary.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provide(builder),
    Layer.provideMerge(Layer.provideMerge(store, Memory.layer)),
    Layer.provide(extractor)
  )
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    const now = yield* Clock.currentTimeMillis
    const items = [-800, -10, 800].map((days) => ({
      external_id: String(days),
      text: `Written at ${days}.`,
      timestamp: new Date(now + days * DAY)
    }))
    yield* (yield* Ingest).text(workspace, connector_id, items)
    const context = yield* KnowledgeContext
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 30 })
    yield* context.configure(workspace, {
      temporal_settings: { start: { type: "relative", days: 30 }, end: { type: "relative", days: 1 } }
    }, OPERATOR)
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 30 })
    assert.deepInclude(yield* context.status(id), { state: "ready", up_to_date: true })
    const { snapshot } = yield* (yield* KnowledgeStore).head(id)
    assert.lengthOf(snapshot?.segments ?? [], 3)
    assert.deepStrictEqual(seen, [{ storing: 1, drafts: 2 }, { storing: 1, drafts: 3 }, { storing: 1, drafts: 3 }])
  }).pipe(Effect.provide(service))
})

it.effect("a document that changes between two reads of a rebuild is found once, in its last version", () => {
  let betweenReads: Effect.Effect<unknown> = Effect.void
  const store = Layer.effect(
    DocumentStore,
    Effect.map(DocumentStore, (inner) => ({
      ...inner,
      scan: (...given: Parameters<typeof inner.scan>) =>
        Effect.tap(inner.scan(...given), () => Effect.suspend(() => betweenReads))
    }))
  )
  const service = serviceOver(Layer.provideMerge(store, Memory.layer))
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    const now = yield* Clock.currentTimeMillis
    const ingest = yield* Ingest
    const push = (external_id: string, text: string, days: number) =>
      ingest.text(workspace, connector_id, [{ external_id, text, timestamp: new Date(now + days * DAY) }])
    const names = ["one", "two", "three", "four", "five"]
    for (const [at, name] of names.entries()) yield* push(name, "A red lamp.", at - 10)
    yield* settle(10)

    const toMove = names.values()
    // Each was read by then, and would be read again at its new time.
    betweenReads = Effect.suspend(() => {
      const { done, value } = toMove.next()
      return done === true ? Effect.void : Effect.orDie(push(value, "A green lamp.", 1))
    })
    yield* (yield* KnowledgeContext).configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
    yield* settle(10)
    assert.strictEqual(toMove.next().done, true)
    const search = yield* Search
    const found = (q: string) =>
      Effect.map(search.search(id, { q }), ({ results }) => results.map(({ external_id }) => external_id).toSorted())
    assert.deepStrictEqual(yield* found("lamp"), names.toSorted())
    assert.deepStrictEqual(yield* found("green"), names.toSorted())
    assert.deepStrictEqual(yield* found("red"), [])
  }).pipe(Effect.provide(service))
})

it.effect("a snapshot that contains later changes than it says, as earlier releases built it, shows each once", () => {
  const store = Layer.effect(
    KnowledgeStore,
    Effect.map(KnowledgeStore, (inner) => ({
      ...inner,
      publish: (...[id, snapshot, options]: Parameters<typeof inner.publish>) =>
        inner.publish(id, { ...snapshot, change_seq: 1 }, options)
    }))
  )
  const service = serviceOver(Layer.provideMerge(store, Memory.layer))
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    const names = ["one", "three", "two"]
    const items = names.map((external_id) => ({ external_id, text: "A red lamp." }))
    yield* (yield* Ingest).text(workspace, connector_id, items)
    yield* settle(10)
    const { change_seq, snapshot } = yield* (yield* KnowledgeStore).head(id)
    assert.deepStrictEqual([change_seq, snapshot?.change_seq], [3, 1])
    const { results } = yield* (yield* Search).search(id, { q: "lamp" })
    assert.deepStrictEqual(results.map(({ external_id }) => external_id).toSorted(), names)
  }).pipe(Effect.provide(service))
})
