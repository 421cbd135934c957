import { assert, describe, it } from "@effect/vitest"
import { MAX_EXTERNAL_ID } from "@tributary/core/model/Ingest"
import { externalId } from "../src/internal/externalId.ts"

describe("an external id", () => {
  const room = MAX_EXTERNAL_ID - "files/".length

  it("is the path as far as it fits, and a longer one ends in a digest", () => {
    assert.strictEqual(externalId("files", "a".repeat(room)), `files/${"a".repeat(room)}`)
    const [one, two] = ["b", "c"].map((end) => externalId("files", "a".repeat(room) + end))
    assert.match(one!, /^files\/a+…[0-9a-f]{32}$/)
    assert.isAtMost(one!.length, MAX_EXTERNAL_ID)
    assert.notStrictEqual(one, two)
  })

  it("is valid text, wherever a longer one is cut", () => {
    for (const start of ["", "a"]) assert.isTrue(externalId("files", start + "😀".repeat(room)).isWellFormed())
  })
})
