/** What a refresh does with segments that exist already. */
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { CONTEXT_QUEUE } from "../../src/context/contextJobs.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { IndexBuilder } from "../../src/ports/IndexBuilder.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { Search } from "../../src/search/Search.ts"
import { service, settle } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

/** Counts builds and merges. */
const countedBuilder = () => {
  const here = IndexBuilder.defaultValue()
  const counts = { builds: 0, merges: 0 }
  const layer = Layer.succeed(IndexBuilder, {
    build: (documents) => Effect.suspend(() => (counts.builds++, here.build(documents))),
    merge: (parts) => Effect.suspend(() => (counts.merges++, here.merge(parts))),
    draft: here.draft
  })
  return { counts, layer }
}

it.effect("a refresh stores the segment that a search has built, and writes it again only if something changed", () => {
  const { counts, layer } = countedBuilder()
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    const ingest = yield* Ingest
    const push = (items: Readonly<Record<string, string>>) =>
      ingest.text(
        workspace,
        connector_id,
        Object.entries(items).map(([external_id, text]) => ({ external_id, text }))
      )
    const search = yield* Search
    const count = (q: string) => Effect.map(search.search(id, { q }), ({ count }) => count)

    yield* push({ one: "A red lamp.", two: "A green lamp." })
    assert.strictEqual(yield* count("lamp"), 2)
    yield* settle(10)
    assert.strictEqual((yield* (yield* KnowledgeStore).head(id)).snapshot?.segments.length, 1)
    assert.deepStrictEqual(counts, { builds: 1, merges: 0 })

    yield* push({ three: "A blue lamp.", four: "A black lamp." })
    assert.strictEqual(yield* count("lamp"), 4)
    yield* push({ three: "A grey lamp." })
    yield* settle(10)
    assert.deepStrictEqual(counts, { builds: 3, merges: 1 })
    assert.deepStrictEqual([yield* count("blue"), yield* count("grey"), yield* count("lamp")], [0, 1, 4])
  }).pipe(Effect.provide(service.pipe(Layer.provide(layer))))
})

it.effect("a minute after the last change, segments become one if the small ones are worth it", () => {
  const { counts, layer } = countedBuilder()
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    const ingest = yield* Ingest
    const push = (name: string, count: number) =>
      ingest.text(
        workspace,
        connector_id,
        Array.from({ length: count }, (_, at) => ({ external_id: `${name}${at}`, text: `A ${name} lamp.` }))
      )
    const sizes = Effect.map(
      Effect.flatMap(KnowledgeStore, (store) => store.head(id)),
      ({ snapshot }) => snapshot?.segments.map(({ chunks }) => chunks)
    )

    yield* push("red", 20)
    yield* settle(10)
    yield* push("green", 3)
    yield* settle(10)
    // Joins what waits for the minute to end.
    yield* push("blue", 2)
    yield* settle(55)
    assert.deepStrictEqual(yield* sizes, [20, 3, 2])
    yield* settle(10)
    assert.deepStrictEqual(yield* sizes, [25])
    assert.strictEqual((yield* (yield* Search).search(id, { q: "lamp", limit: 100 })).count, 25)

    yield* push("black", 5)
    yield* settle(120)
    assert.deepStrictEqual(yield* sizes, [25, 5])
    assert.strictEqual(counts.merges, 1)
  }).pipe(Effect.provide(service.pipe(Layer.provide(layer))))
})

it.effect("a requested refresh is a job of its own, under the id in its answer, besides those that are due", () =>
  Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    yield* (yield* Ingest).text(workspace, connector_id, [{ text: "A red lamp." }])
    const [jobs, knowledge] = [yield* JobStore, yield* KnowledgeContext]
    const asked = [yield* knowledge.refresh(id, {}), yield* knowledge.refresh(id, {})]
    for (const { task_id } of asked) {
      const job = Option.getOrThrow(yield* jobs.find(id, CONTEXT_QUEUE, task_id))
      assert.isAtMost(job.run_at.getTime(), yield* Clock.currentTimeMillis)
    }
    assert.deepStrictEqual(asked.map(({ run_id }) => run_id), [1, 2])
  }).pipe(Effect.provide(service)))

it.effect("a refresh renews the latest snapshot, and a workspace without a cap keeps that of every rebuild", () =>
  Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro", limits: { snapshots: null } })
    const [ingest, knowledge] = [yield* Ingest, yield* KnowledgeContext]
    const push = (text: string) => Effect.andThen(ingest.text(workspace, connector_id, [{ text }]), settle(5))
    const temporal_settings = { start: null, end: null }
    const rebuild = Effect.andThen(knowledge.configure(workspace, { temporal_settings }, OPERATOR), settle(5))
    for (const text of ["A red lamp.", "A green lamp."]) yield* push(text)
    for (let times = 0; times < 6; times++) yield* rebuild
    for (const text of ["A blue lamp.", "A black lamp."]) yield* push(text)
    assert.strictEqual((yield* knowledge.refresh(id, {})).snapshots_deleted, 0)
    assert.strictEqual((yield* knowledge.refresh(id, { delete_old_snapshots: true })).snapshots_deleted, 6)
    assert.strictEqual((yield* knowledge.refresh(id, { delete_old_snapshots: true })).snapshots_deleted, 0)
  }).pipe(Effect.provide(service)))
