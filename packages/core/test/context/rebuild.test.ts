/** How the steps of a rebuild overlap. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { IndexBuilder } from "../../src/ports/IndexBuilder.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"
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
