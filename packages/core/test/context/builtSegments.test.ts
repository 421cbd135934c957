/** What a process keeps in memory of the segments that it built itself. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { SegmentCache } from "../../src/ports/SegmentCache.ts"
import { Search } from "../../src/search/Search.ts"
import { service, settle } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

/** Copies that are read on demand, with the number of bytes that were read of them. */
const countedCopies = () => {
  const copies = new Map<string, Uint8Array>()
  const counts = { read: 0 }
  const layer = Layer.succeed(SegmentCache, {
    get: (_, segmentId) => Effect.succeed(copies.get(segmentId) ?? null),
    source: (_, segmentId) =>
      Effect.sync(() => {
        const copy = copies.get(segmentId)
        if (copy === undefined) return null
        const read = (into: Uint8Array, from: number): boolean => {
          counts.read += into.length
          into.set(copy.subarray(from, from + into.length))
          return true
        }
        return { byteLength: copy.length, read }
      }),
    put: (_, segmentId, bytes) => Effect.sync(() => void copies.set(segmentId, bytes.slice())),
    retain: (_, segmentIds) =>
      Effect.sync(() => {
        for (const segmentId of copies.keys()) if (!segmentIds.includes(segmentId)) copies.delete(segmentId)
      }),
    workspaces: Effect.succeed([])
  })
  const bytes = () => [...copies.values()].reduce((sum, { length }) => sum + length, 0)
  return { bytes, counts, layer }
}

const DOCUMENTS = Array.from({ length: 500 }, (_, number) => ({
  external_id: `lamp-${number}`,
  text: Array.from({ length: 60 }, (_, word) => `lantern${number}x${word}`).join(" ")
}))

it.effect("reads of a rebuilt context what a search needs", () => {
  const { bytes, counts, layer } = countedCopies()
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    yield* (yield* Ingest).text(workspace, connector_id, DOCUMENTS)
    yield* settle(10)
    yield* (yield* KnowledgeContext).configure(
      workspace,
      { temporal_settings: { start: null, end: null } },
      OPERATOR
    )
    counts.read = 0
    yield* settle(10)
    const { results } = yield* (yield* Search).search(id, { q: "lantern7x7" })
    assert.deepStrictEqual(results.map(({ external_id }) => external_id), ["lamp-7"])
    assert.isAbove(counts.read, 0)
    assert.isBelow(counts.read, bytes() / 2)
  }).pipe(Effect.provide(service.pipe(Layer.provide(layer))))
})
