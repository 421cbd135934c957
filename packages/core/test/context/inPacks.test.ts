import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { inPacks } from "../../src/context/segments/inPacks.ts"

const MOST = 10

const Chunks = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MOST })))

const sum = (chunks: ReadonlyArray<number>): number => chunks.reduce((sum, one) => sum + one, 0)

describe("the parts of a tail", () => {
  it.prop("are merged in order, as many as fit one segment", [Chunks], ([chunks]) => {
    const packs = inPacks(chunks, (one) => one, MOST)
    assert.deepStrictEqual(packs.flat(), chunks)
    packs.forEach((pack, at) => {
      assert.isAtMost(sum(pack), MOST)
      assert.isAbove(sum(pack) + (packs[at + 1]?.[0] ?? MOST), MOST)
    })
  })
})
