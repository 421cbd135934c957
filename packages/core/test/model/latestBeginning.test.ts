import { assert, describe, it } from "vitest"
import { latestBeginning } from "../../src/ports/latestBeginning.ts"

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

describe("A list of documents", () => {
  it("begins at the latest beginning of its ranges", () => {
    const shownTo = { from: day(2) }
    const inside = { from: day(3), to: null, inside: true }
    assert.deepStrictEqual(latestBeginning({ from: day(1), range: inside, shownTo }), day(3))
    assert.deepStrictEqual(latestBeginning({ from: day(4), range: inside, shownTo }), day(4))
  })

  it("begins nowhere in particular without a range, and outside of one", () => {
    assert.isNull(latestBeginning({ from: null, range: null, shownTo: null }))
    assert.isNull(latestBeginning({ from: null, range: { from: day(3), to: null, inside: false }, shownTo: {} }))
  })
})
