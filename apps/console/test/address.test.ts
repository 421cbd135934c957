// Addresses that were typed or cut off on their way.
import { assert, describe, it } from "vitest"
import { callSearchOf, sentFilters } from "../src/calls/filters/callSearch.ts"

describe("the address of a search", () => {
  it("leaves out what is no day, no text and no choice, and keeps the rest", () => {
    const query = { q: "keys", source: "", metadata: 7, from: "2026-01-31", to: "2026-99-99", where: "elsewhere" }
    assert.deepStrictEqual(callSearchOf(query), { q: "keys", from: "2026-01-31" })
  })

  it("becomes a request up to the end of its last day", () => {
    assert.deepStrictEqual(sentFilters({ from: "2026-01-31", to: "2026-01-31" }), {
      from: "2026-01-31T00:00:00.000Z",
      to: "2026-02-01T00:00:00.000Z"
    })
  })
})
