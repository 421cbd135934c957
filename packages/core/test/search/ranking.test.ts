/** The replaceable ranking of hits. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

const TEXTS = {
  brief: "The garage opens.",
  often:
    "One garage is for bicycles, another garage is for cars, and no garage is for boats, which lie in the harbour.",
  none: "Nothing of it."
}

const found = Effect.gen(function*() {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const items = Object.entries(TEXTS).map(([external_id, text]) => ({ external_id, text }))
  yield* (yield* Ingest).text(workspace, connector_id, items)
  const { results } = yield* (yield* Search).search(id, { q: "garage" })
  return results.map(({ external_id }) => external_id)
})

const foundWith = (ranking: Partial<Tributary.RankingMethod>) =>
  Effect.provide(
    found,
    Tributary.layer.pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provideMerge(Layer.fresh(Memory.layer)),
      Layer.provide(Layer.merge(extractor, Layer.succeed(Tributary.Ranking, { ...Tributary.RANKING, ...ranking })))
    )
  )

const { parameters, rescore } = Tributary.RANKING

describe("The ranking of a host", () => {
  it.effect("applies its parameters for term frequency and text length", () =>
    Effect.gen(function*() {
      const byCount = yield* foundWith({ parameters: { ...parameters, k1: 10, b: 0 } })
      const byLength = yield* foundWith({ parameters: { ...parameters, k1: 10, b: 1 } })
      assert.deepStrictEqual(byCount, ["often", "brief"])
      assert.deepStrictEqual(byLength, ["brief", "often"])
    }))

  it.effect("may reorder the best hits", () =>
    Effect.gen(function*() {
      const ours = yield* foundWith({})
      const reversed = yield* foundWith({ rescore: (...found) => rescore(...found).toReversed() })
      assert.lengthOf(ours, 2)
      assert.deepStrictEqual(reversed, ours.toReversed())
    }))
})
