// Large bodies: their values are those of JSON.parse, and their faults those of small ones.
import { assert, describe, it } from "@effect/vitest"
import { JsonItems } from "@tributary/core/model/Ingest"
import { Result } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { PayloadTooLargeError } from "../../src/api/ErrorBody.ts"
import { parseBody } from "../../src/body/JsonBody.ts"
import { MAX_ITEM_VALUES, MAX_KEYS, MAX_VALUES } from "../../src/body/JsonReader.ts"
import { LARGE } from "../../src/body/RequestBytes.ts"
import { runGenerator } from "@tributary/core/runGenerator"
import { bodyPart } from "../../src/middleware/Validation.ts"
import { randomOf } from "../support/random.ts"

const ROUNDS = extent(2, 30)

const utf8 = (text: string) => new TextEncoder().encode(text)

const random = randomOf(20_261_123)

/** Names that are easily mistaken, and values that are large in one way or another. */
const NAMES = ["a", "__proto__", "constructor", "b\\\"c", "é😀", "", "0", "17", "key\u0041"]

const large = (depth: number): string => {
  const blanks = random.pick(["", " ", "\n\t "])
  const some = <A>(count: number, make: (index: number) => A) =>
    Array.from({ length: count }, (_, index) => make(index))
  switch (depth === 0 ? "small" : random.pick(["array", "object", "string", "numbers", "small"])) {
    case "array":
      return `[${blanks}${some(4, () => large(depth - 1)).join(`${blanks},`)}${blanks}]`
    case "object": {
      const fields = some(
        4,
        () => `${blanks}${JSON.stringify(random.pick(NAMES))}${blanks}:${blanks}${large(depth - 1)}`
      )
      return `{${fields.join(",")}${blanks}}`
    }
    case "string":
      return `"${
        random.pick(["x", "\\\"", "é", "😀", "[{,", "\\u00e9", "\\\\", "x\\\\\\\"\\ud83d\\ude00\\n"]).repeat(LARGE / 2)
      }"`
    case "numbers":
      return `[${
        some(20_000, (index) => random.pick([`${index}`, "-1.5e3", "null", "[]", `{"a":${index}}`])).join(",")
      }]`
    default:
      return random.json(3)
  }
}

const PLACES = Array.from({ length: 997 }, (_, index) => index / 997)

const body = (): string => `{"first":${large(3)},"second":${large(3)},"pad":"${"p".repeat(LARGE)}"}`

describe("A large body", () => {
  it("has the same value as with JSON.parse", () => {
    for (let round = 0; round < ROUNDS; round++) {
      const text = body()
      const parsed = runGenerator(parseBody(utf8(text)))
      if (Result.isFailure(parsed)) {
        assert.instanceOf(parsed.failure, PayloadTooLargeError)
        continue
      }
      assert.deepStrictEqual(parsed.success.value, JSON.parse(text))
    }
  })

  it("is refused exactly if JSON.parse refuses it, at the same position as within a larger one", () => {
    for (let round = 0; round < ROUNDS; round++) {
      const sound = body()
      const at = Math.floor(random.pick(PLACES) * sound.length)
      const text = sound.slice(0, at) + random.pick([",", "}", "]", "[", "{", "\"", ":", "x", "", "\\"]) +
        sound.slice(at + random.pick([0, 1]))
      const parsed = runGenerator(parseBody(utf8(text)))
      let isSound = true
      try {
        JSON.parse(text)
      } catch {
        isSound = false
      }
      if (Result.isFailure(parsed) && parsed.failure instanceof PayloadTooLargeError) continue
      assert.strictEqual(Result.isSuccess(parsed), isSound, `${round}`)
      if (Result.isSuccess(parsed) || parsed.failure instanceof PayloadTooLargeError) continue
      const before = `["${"p".repeat(LARGE * 2)}",`
      const larger = runGenerator(parseBody(utf8(before + text)))
      if (Result.isSuccess(larger)) throw new Error("not refused")
      // There it is within an item, which may have fewer values.
      if (larger.failure instanceof PayloadTooLargeError) continue
      const { ctx, loc: [, position] } = parsed.failure
      // The outer list continues, so there it is another fault.
      if (ctx?.["error"] === "Extra data") continue
      assert.deepStrictEqual([larger.failure.loc[1], larger.failure.ctx], [Number(position) + before.length, ctx])
    }
  })

  it.each(
    [
      ["ASCII", "word "],
      ["other letters", "wörd "],
      ["characters of two code units", "word 😀 "]
    ] as const
  )("may be one string of %s, whose end decides", (_, word) => {
    const long = word.repeat(LARGE)
    for (const end of ["", "\\n", "\\u00e9", "\\\\"]) {
      const text = `{"a":"${long}${end}"}`
      const parsed = Result.getOrThrow(runGenerator(parseBody(utf8(text))))
      assert.isTrue((parsed.value as { readonly a: string }).a === (JSON.parse(text) as { readonly a: string }).a, end)
    }
    for (const end of ["\n", "\u0000", "\u001f", "\\", "\\x"]) {
      const parsed = runGenerator(parseBody(utf8(`{"a":"${long}${end}"}`)))
      const position = end === "\\" ? undefined : 6 + [...long].length
      if (!Result.isFailure(parsed) || parsed.failure instanceof PayloadTooLargeError) throw new Error("accepted")
      if (position !== undefined) assert.deepStrictEqual(parsed.failure.loc, ["body", position])
    }
  })

  it("reports integers that would lose digits", () => {
    const numbers = `[${"12345,".repeat(60_000)}{"x":[9007199254740993]}]`
    const text = `{"a":[0,${numbers}],"pad":"${"p".repeat(LARGE)}"}`
    const parsed = runGenerator(parseBody(utf8(text)))
    assert.deepStrictEqual(Result.getOrThrow(parsed).altered, ["a", 1, 60_000, "x", 0])
  })

  it.each(
    [
      ["values", `[${"{},".repeat(MAX_VALUES)}1]`, `more than ${MAX_VALUES} values`],
      ["keys of one object", `{${Array.from({ length: MAX_KEYS + 1 }, (_, key) => `"${key}":1`).join()}}`, "keys"],
      ["values in one item", `{"items":[{"data":[${"1,".repeat(MAX_ITEM_VALUES)}1]}]}`, "an item with more than"]
    ] as const
  )("with too many %s is refused", (_, text, message) => {
    const parsed = runGenerator(parseBody(utf8(text)))
    assert.isTrue(Result.isFailure(parsed) && parsed.failure instanceof PayloadTooLargeError)
    assert.include((Result.getFailure(parsed) as { readonly value: PayloadTooLargeError }).value.message, message)
  })

  const validate = bodyPart(JsonItems, { onExcessProperty: "error" })
  const small = bodyPart(JsonItems, { onExcessProperty: "error" })

  it("is validated item by item with the same errors as a whole", () => {
    const pad = { data: "p".repeat(LARGE) }
    const lists = [
      [{ data: 1 }, { data: [1], external_id: "a" }],
      [{ data: 1, x: 1 }, { date: 1 }, { data: 2, metadata: { a: 1 } }],
      [{ data: 1 }, 5, null, []]
    ]
    for (const items of lists) {
      for (const rest of [{}, { other: 1, more: 2 }]) {
        const whole = runGenerator(small(utf8(JSON.stringify({ items: [...items, { data: "p" }], ...rest }))))
        const parts = runGenerator(validate(utf8(JSON.stringify({ items: [...items, pad], ...rest }))))
        if (whole instanceof Error || parts instanceof Error) throw new Error("refused")
        if (Result.isFailure(whole)) assert.deepStrictEqual(parts, whole)
        else assert.deepStrictEqual(Result.getOrThrow(parts), { items: [...items, pad] })
      }
    }
  })
})
