/** What the status of a context costs while much waits for the index. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

it.effect("counts what waits once until something changes", () => {
  let counts = 0
  const counting = Layer.effect(
    KnowledgeStore,
    Effect.map(KnowledgeStore, (store) =>
      KnowledgeStore.of({
        ...store,
        countPending: (...of) => Effect.suspend(() => (counts++, store.countPending(...of)))
      }))
  )
  const service = Tributary.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provide(extractor),
    Layer.provide(counting),
    Layer.provideMerge(Memory.layer)
  )
  return Effect.gen(function*() {
    const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
    const context = yield* KnowledgeContext
    const pending = Effect.map(context.status(id), ({ pending_documents }) => pending_documents)
    const push = (external_id: string) =>
      Effect.flatMap(
        Ingest,
        (ingest) => ingest.text(workspace, connector_id, [{ external_id, text: external_id }])
      )
    yield* push("one")
    assert.deepStrictEqual([yield* pending, yield* pending, counts], [1, 1, 1])
    yield* push("two")
    assert.deepStrictEqual([yield* pending, yield* pending, counts], [2, 2, 2])
    yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
    assert.strictEqual(yield* pending, 0)
  }).pipe(Effect.provide(service))
})
