/** What a refresh does with segments that exist already. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Ingest } from "../../src/ingest/Ingest.ts"
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
