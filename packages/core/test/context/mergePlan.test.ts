/** Which segments are merged, and how often their documents are written. */
import { assert, describe, it } from "@effect/vitest"
import { compactionPlan, mergePlan } from "../../src/context/segments/mergePlan.ts"

describe("the plan of merges", () => {
  it("merges nothing while a level has fewer than four segments", () => {
    assert.deepStrictEqual(mergePlan([5, 5, 5, 20, 20, 20], 64), [])
  })

  it("merges four of a level, and leaves other levels alone", () => {
    assert.deepStrictEqual(mergePlan([20, 5, 5, 5, 5], 64), [[1, 2, 3, 4]])
  })

  it("writes a merged segment that fills the next level with that level, not twice", () => {
    assert.deepStrictEqual(mergePlan([16, 16, 16, 4, 4, 4, 4], 64), [[0, 1, 2, 3, 4, 5, 6]])
  })

  it("keeps segments within the maximum", () => {
    assert.deepStrictEqual(mergePlan([20, 20, 20, 20, 20], 64), [[0, 1, 2], [3, 4]])
    assert.deepStrictEqual(mergePlan([60, 60, 60, 60], 64), [])
  })

  it("writes a document about three times while a thousand segments are added", () => {
    let sizes: ReadonlyArray<number> = []
    let written = 0
    for (let added = 0; added < 1_000; added++) {
      const all = [...sizes, 1]
      const plan = mergePlan(all, 65_536)
      const merged = plan.map((positions) => positions.reduce((sum, position) => sum + all[position]!, 0))
      written += merged.reduce((sum, size) => sum + size, 0)
      sizes = [...all.filter((_, position) => !plan.flat().includes(position)), ...merged]
      assert.isAtMost(sizes.length, 15)
    }
    assert.isBelow(written, 3_200)
  })
})

describe("the plan of merges while nothing changes", () => {
  it("merges a segment with the smaller ones if these have a quarter of its size together", () => {
    assert.deepStrictEqual(compactionPlan([16, 3, 1], 64), [[2, 1, 0]])
    assert.deepStrictEqual(compactionPlan([16, 2, 1], 64), [[2, 1]])
    assert.deepStrictEqual(compactionPlan([16, 3], 64), [])
    assert.deepStrictEqual(compactionPlan([5], 64), [])
  })

  it("leaves segments that are half full, and keeps the others within the maximum", () => {
    assert.deepStrictEqual(compactionPlan([61_001, 15_002, 15_001, 3_000, 1_000, 4_000, 1_000], 65_536), [
      [4, 6, 3, 5, 2, 1]
    ])
    assert.deepStrictEqual(compactionPlan([33, 33, 1], 64), [])
    assert.deepStrictEqual(compactionPlan([30, 30, 30], 64), [[0, 1]])
  })

  it("writes a document about ten times if nothing else changes after each of a thousand additions", () => {
    let sizes: ReadonlyArray<number> = []
    let written = 0
    for (let added = 0; added < 1_000; added++) {
      for (const all of [[...sizes, 1], null]) {
        const now = all ?? sizes
        const plan = (all === null ? compactionPlan : mergePlan)(now, 65_536)
        const merged = plan.map((positions) => positions.reduce((sum, position) => sum + now[position]!, 0))
        written += merged.reduce((sum, size) => sum + size, 0)
        sizes = [...now.filter((_, position) => !plan.flat().includes(position)), ...merged]
      }
      assert.isAtMost(sizes.length, 6)
    }
    assert.isBelow(written, 11_000)
  })
})
