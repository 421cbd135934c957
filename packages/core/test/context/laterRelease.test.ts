/** Two releases over one store, as during an upgrade: the earlier one cannot read the segments of the later one. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Option } from "effect"
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

it.effect("leaves a context of a later release to its servers, and answers from the documents meanwhile", () =>
  Effect.gen(function*() {
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
    yield* store.putSegment(id, segment_id, stored.with(4, stored[4]! + 1))
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
