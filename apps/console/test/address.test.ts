// Addresses that were typed or cut off on their way.
import { assert, describe, it } from "vitest"
import { callSearchOf, sentFilters } from "../src/calls/filters/callSearch.ts"
import { readQuery, writeQuery } from "../src/shell/address.ts"

describe("the address of a search", () => {
  it("leaves out what is no day, no text and no choice, and keeps the rest", () => {
    const query = { q: "keys", source: "", metadata: 7, from: "2026-01-31", to: "2026-99-99", where: "elsewhere" }
    assert.deepStrictEqual(callSearchOf(query), { q: "keys", from: "2026-01-31" })
    assert.deepStrictEqual(callSearchOf({ from: "2026-02-30" }), {})
  })

  it("has texts alone, also of what looks like a number or an object", () => {
    const query = { q: "2026", is: "true", find: "{\"a\": [1]}", metadata: "a=b&c\n%7B +", where: "" }
    assert.deepStrictEqual(readQuery(writeQuery(query)), query)
    assert.deepStrictEqual(readQuery("?q=2026&is=null&find=[1"), { q: "2026", is: "null", find: "[1" })
    assert.strictEqual(writeQuery({ start: 12, end: undefined }), "?start=12")
    assert.strictEqual(writeQuery({}), "")
  })

  it("becomes a request up to the end of its last day", () => {
    assert.deepStrictEqual(sentFilters({ from: "2026-01-31", to: "2026-01-31" }), {
      from: "2026-01-31T00:00:00.000Z",
      to: "2026-02-01T00:00:00.000Z"
    })
    assert.deepStrictEqual(sentFilters({ to: "9999-12-31" }), { to: "9999-12-31T23:59:59.999Z" })
  })
})
