/** Two releases over one store, as during an upgrade: the earlier one cannot read the segments of the later one. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Logger, Option } from "effect"
import { Ingest } from "../../src/ingest/Ingest.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { connected } from "../support/services.ts"
import { extractor, settle } from "../support/wholeService.ts"

const services = Layer.fresh(Tributary.layer).pipe(Layer.provide(ExtractiveAnswerer.layer), Layer.provide(extractor))

/** A process that runs during the given work. */
const during = <A, E>(work: Effect.Effect<A, E, Layer.Success<typeof services | typeof Memory.layer>>) =>
  Effect.provide(work, services)

const found = (id: WorkspaceId) =>
  Effect.map(
    Effect.flatMap(Search, (search) => search.search(id, { q: "zebra" })),
    ({ results }) => results.map(({ external_id }) => external_id)
  )

/** A workspace with one document, whose segment is of the release that is `by` later. */
const indexedBy = Effect.fnUntraced(function*(by: number) {
  const store = yield* KnowledgeStore
  const { id, push } = yield* during(Effect.gen(function*() {
    const { id, source, workspace } = yield* connected()
    const push = (external_id: string) =>
      Effect.flatMap(Ingest, (ingest) => ingest.text(workspace, source, [{ external_id, text: "zebra" }]))
    yield* push("a")
    yield* settle(10)
    return { id, push }
  }))
  const { segments, snapshot_id } = (yield* store.head(id)).snapshot!
  const { segment_id } = segments[0]!
  const stored = Option.getOrThrow(yield* store.getSegment(id, segment_id))
  yield* store.putSegment(id, segment_id, stored.with(4, stored[4]! + by))
  return { id, push, snapshot_id, store }
})

it.effect("leaves a context of a later release to its servers, and answers from the documents meanwhile", () =>
  Effect.gen(function*() {
    const { id, push, snapshot_id, store } = yield* indexedBy(1)
    yield* during(Effect.gen(function*() {
      assert.deepStrictEqual(yield* found(id), ["a"])
      yield* push("b")
      assert.sameMembers(yield* found(id), ["a", "b"])
      yield* settle(120)
      assert.sameMembers(yield* found(id), ["a", "b"])
    }))
    const head = yield* store.head(id)
    assert.deepStrictEqual([head.generation, head.snapshot!.snapshot_id], [0, snapshot_id])
  }).pipe(Effect.provide(Memory.layer)))

it.effect("rebuilds a context of an earlier release without a warning, and answers from the documents meanwhile", () => {
  const logged: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) =>
    void logged.push(`${logLevel} ${String(message)}`)
  )
  return Effect.gen(function*() {
    const { id, snapshot_id, store } = yield* indexedBy(-1)
    yield* during(Effect.gen(function*() {
      assert.deepStrictEqual(yield* found(id), ["a"])
      yield* settle(10)
      assert.deepStrictEqual(yield* found(id), ["a"])
    }))
    assert.notStrictEqual((yield* store.head(id)).snapshot!.snapshot_id, snapshot_id)
    assert.deepStrictEqual(logged, ["Info segment of an earlier release, rebuilding the context"])
  }).pipe(Effect.provide(Layer.merge(Memory.layer, Logger.layer([logger]))))
})
