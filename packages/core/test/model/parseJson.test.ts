import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { parseJson } from "../../src/model/parseJson.ts"

/** Pieces of names that look alike as JSON. */
const Name = Schema.Array(Schema.Literals(["\\", "\"", "\n", "\u0001", "u0001", "n", ":", "{", "__proto__", "😀"]))
  .check(Schema.isMaxLength(3))

const anyName = Arbitrary.map(Arbitrary.schema(Name), (pieces) => pieces.join(""))
const anyValue = Arbitrary.schema(Schema.Union([Schema.Literals(["\\", "\":{", "}"]), Schema.Json]))

/** V8 only mistakes names that come after the same ones. */
const anyObjects = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([anyName, anyValue])),
  (entries) => entries.map(([name, value]) => ({ x: 1, [name]: value }))
)

describe("JSON with names that others choose", () => {
  it("is read as it was written, where JSON.parse takes a name for an earlier one", () => {
    JSON.parse("{\"x\":1,\"\\\\\":2}")
    const value = { x: [{ "\"": { "}": "{:\"" } }, "\\"], "\"": 2 }
    assert.deepStrictEqual(parseJson(JSON.stringify(value)), value)
    assert.deepStrictEqual(parseJson("{\"x\":1,\"\\\"\":2}"), { x: 1, "\"": 2 })
  })

  it.prop(
    "is read as it was written, whatever was read before",
    [anyObjects],
    ([values]) => {
      for (const value of [...values, { list: values }]) {
        const text = JSON.stringify(value, null, 1)
        assert.strictEqual(JSON.stringify(parseJson(text), null, 1), text)
      }
    },
    { arbitrary: { runs: 500 } }
  )
})
