import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { packConsecutive } from "../../src/context/segments/packConsecutive.ts"

const MAX_CHUNKS = 10

const Chunks = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_CHUNKS })))

const sum = (chunks: ReadonlyArray<number>): number => chunks.reduce((sum, one) => sum + one, 0)

describe("the parts of a tail", () => {
  it.prop("are merged in order, as many as fit one segment", [Chunks], ([chunks]) => {
    const packs = packConsecutive(chunks, (one) => one, MAX_CHUNKS)
    assert.deepStrictEqual(packs.flat(), chunks)
    packs.forEach((pack, at) => {
      assert.isAtMost(sum(pack), MAX_CHUNKS)
      assert.isAbove(sum(pack) + (packs[at + 1]?.[0] ?? MAX_CHUNKS), MAX_CHUNKS)
    })
  })
})
