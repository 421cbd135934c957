import { assert, it } from "@effect/vitest"
import { documentIdOf } from "../src/tools/fields.ts"

const START = "tributary://document/"

it("the URI of a document is of one segment, and no longer than ids are", () => {
  assert.strictEqual(documentIdOf(`${START}a%2Fb`), "a/b")
  for (const rest of ["", "a/b", "a/", "%zz", "x".repeat(1_001 - START.length)]) {
    assert.isNull(documentIdOf(START + rest), rest)
  }
  assert.strictEqual(documentIdOf(START + "x".repeat(1_000 - START.length))?.length, 1_000 - START.length)
  assert.isNull(documentIdOf("https://document/a"))
})
