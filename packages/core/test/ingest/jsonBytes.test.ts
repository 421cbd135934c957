import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { jsonBytes } from "../../src/internal/jsonParts.ts"

const written = (value: Schema.Json) => {
  let pauses = 0
  const work = jsonBytes(value)
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return { pauses, text: new TextDecoder().decode(value) }
    pauses++
  }
}

it.prop("writes the same bytes as JSON.stringify", [Schema.Json], ([value]) => {
  assert.strictEqual(written(value).text, JSON.stringify(value))
})

it("pauses within long texts, and keeps their characters", () => {
  const value = { items: [{ text: "a line \"of\" text 😀\n".repeat(50_000) }, { text: "b" }] }
  const { pauses, text } = written(value)
  assert.deepStrictEqual(JSON.parse(text), value)
  assert.isAbove(pauses, 20)
})
