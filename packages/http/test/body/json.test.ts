// Bodies that are no JSON, against the tables of the validation decisions, section 5.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseBody } from "../../src/body/JsonBody.ts"
import { readJson } from "../../src/body/JsonReader.ts"
import { echo } from "@tributary/core/validation/Echo"
import { runGenerator } from "@tributary/core/runGenerator"
import { PayloadTooLargeError } from "../../src/api/ErrorBody.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)

const parsed = (bytes: Uint8Array) => Result.map(runGenerator(parseBody(bytes)), ({ value }) => value)

const alteredInteger = (text: string) => Result.getOrThrow(runGenerator(readJson(text))).altered

const fault = (bytes: Uint8Array) => {
  const result = parsed(bytes)
  assert.isTrue(Result.isFailure(result), "the body was accepted")
  if (Result.isSuccess(result) || result.failure instanceof PayloadTooLargeError) throw new Error("unreachable")
  const { ctx, input, loc, msg, type } = result.failure
  assert.deepStrictEqual({ type, msg, input, first: loc[0], length: loc.length }, {
    type: "json_invalid",
    msg: "JSON decode error",
    input: {},
    first: "body",
    length: 2
  })
  return [loc[1], ctx?.["error"]]
}

const PROPERTY = "Expecting property name enclosed in double quotes"
const COMMA = "Expecting ',' delimiter"

const rows: ReadonlyArray<readonly [body: string, position: number, reason: string]> = [
  ["{\"a\":}", 5, "Expecting value"],
  ["{", 1, PROPERTY],
  ["{'a':1}", 1, PROPERTY],
  ["{a:1}", 1, PROPERTY],
  ["{,}", 1, PROPERTY],
  ["{\"a\":1,}", 7, PROPERTY],
  ["{\"a\":1, }", 8, PROPERTY],
  ["[1,]", 3, "Expecting value"],
  ["[", 1, "Expecting value"],
  ["{\"a\":1} x", 8, "Extra data"],
  ["{\"a\":1}{\"b\":2}", 7, "Extra data"],
  ["{\"a\" 1}", 5, "Expecting ':' delimiter"],
  ["{\"a\"", 4, "Expecting ':' delimiter"],
  ["{\"a\":1 \"b\":2}", 7, COMMA],
  ["[1,2", 4, COMMA],
  ["{\"a\":01}", 6, COMMA],
  ["{\"a\":1.}", 6, COMMA],
  ["{\"a\":1e}", 6, COMMA],
  ["{\"a\":\"x", 5, "Unterminated string starting at"],
  ["{\"a\":\"x\\", 5, "Unterminated string starting at"],
  ["nul", 0, "Expecting value"],
  ["tru", 0, "Expecting value"],
  ["-", 0, "Expecting value"],
  ["// c", 0, "Expecting value"],
  ["  ", 2, "Expecting value"],
  ["\u00a0{}", 0, "Expecting value"],
  ["{\"a\":\"\\x\"}", 6, "Invalid \\escape"],
  ["{\"a\":\"b\nc\"}", 7, "Invalid control character at"],
  ["{\"a\":\"\u0000\"}", 6, "Invalid control character at"],
  ["{\"a\":\"\\u12\"}", 7, "Invalid \\uXXXX escape"],
  ["{\"a\":\"\\u12", 7, "Invalid \\uXXXX escape"],
  ["{\"é😀\":}", 6, "Expecting value"],
  ["NaN", 0, "Expecting value"],
  ["{\"days\":Infinity}", 8, "Expecting value"],
  ["{\"days\":-Infinity}", 8, "Expecting value"]
]

describe("5 The JSON layer: position and reason", () => {
  it.each(rows)("%j", (body, position, reason) => {
    assert.deepStrictEqual(fault(utf8(body)), [position, reason])
  })

  it("agrees with JSON.parse on what is JSON", () => {
    for (const text of ["{}", " [1, -2.5e+3, true, null, \"\\u00e9\\ud83d\\ude00\"] ", "\"\\/\"", "0", "-0"]) {
      assert.deepStrictEqual(parsed(utf8(text)), Result.succeed(JSON.parse(text)))
    }
  })
})

describe("Integers that would lose digits", () => {
  it("are found at their position, and nothing else is mistaken for one", () => {
    const none = [
      "{\"id\":9007199254740991,\"exact\":[9007199254740992,-100000000000000000000]}",
      "{\"id\":\"9007199254740993\",\"text\":\"of: 9007199254740993, and [9007199254740993]\"}",
      "[0.12345678901234567890, 12345678901234567.5, 9007199254740993e0, 1e300]",
      `[${"9".repeat(400)}]`,
      `[${"9".repeat(10_000_000)},"\u2620"]`,
      "{\"twice\":9007199254740993,\"twice\":1}",
      "{\"twice\":[9007199254740993],\"twice\":{}}"
    ]
    for (const text of none) assert.isUndefined(alteredInteger(text), text)
    assert.deepStrictEqual(alteredInteger("{\"a\":[1,{\"b c\":9007199254740993}]}"), ["a", 1, "b c"])
    assert.deepStrictEqual(alteredInteger(`["\u2620",${"9".repeat(10_000_000)},9007199254740993]`), [2])
    assert.deepStrictEqual(alteredInteger("[[], [\"1\",\t-9007199254740993\n]]"), [1, 1])
    assert.deepStrictEqual(alteredInteger("{\"__proto__\": 100000000000000000001 }"), ["__proto__"])
  })

  it("are found in a body wherever they are", () => {
    const [digits, short] = ["9007199254740993", "900719925474099"]
    for (
      const text of ["[#]", "[1,-#\n]", "{\"a\":#}", "{\"a\":\t# ,\"b\":\"x\"}", "[\"x\",[],{},#]"]
    ) {
      const altered = (number: string) => {
        const body = text.replace("#", number)
        return Result.getOrThrow(runGenerator(parseBody(utf8(body)))).altered
      }
      assert.isDefined(altered(digits), text)
      assert.isUndefined(altered(short), text)
    }
  })
})

describe("5 The JSON layer: bodies of ten million characters", () => {
  it.each(
    [
      ["letters", "a", "Unterminated string starting at"],
      ["blanks", " ", "Unterminated string starting at"],
      ["escapes", "\\n", "Unterminated string starting at"],
      ["ends of lines", "\n", "Invalid control character at"]
    ] as const
  )("a string of %s that does not end", (_, piece, reason) => {
    assert.strictEqual(fault(utf8(`"\u2620${piece.repeat(10_000_000)}`))[1], reason)
  })

  // A process in which much has been compiled is left with such regular expressions.
  it("an endless number, with unoptimized regular expressions", async () => {
    const program = `
      const { parseBody } = await import(${JSON.stringify(new URL("../../src/body/JsonBody.ts", import.meta.url))})
      for (const number of ["1.", "1e", "1"]) {
        const body = "[" + number + "1".repeat(10_000_000) + "\u2620]"
        const parsing = parseBody(new TextEncoder().encode(body))
        let step = parsing.next()
        while (!step.done) step = parsing.next()
        console.log(step.value.failure.ctx.error)
      }`
    const flags = ["--no-regexp-optimization", "--input-type=module", "--eval"]
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, program])
    assert.deepStrictEqual(stdout.trim().split("\n"), [COMMA, COMMA, COMMA])
  })
})

describe("5 The JSON layer: bytes", () => {
  it("an empty body has no value", () => {
    assert.deepStrictEqual(parsed(new Uint8Array()), Result.succeed(undefined))
  })

  it("a UTF-8 byte order mark is accepted", () => {
    assert.deepStrictEqual(parsed(Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8("{}"))), Result.succeed({}))
  })

  it("invalid UTF-8: the position counts the characters before the bad byte", () => {
    assert.deepStrictEqual(fault(Uint8Array.of(...utf8("{\"é😀"), 0xff, ...utf8("\"}"))), [4, "Invalid UTF-8"])
    assert.deepStrictEqual(fault(Uint8Array.of(...utf8("\"a"), 0xe2, 0x82)), [2, "Invalid UTF-8"])
    assert.deepStrictEqual(fault(Uint8Array.of(...utf8("\"\ufffd"), 0xc0, 0xaf)), [2, "Invalid UTF-8"])
  })

  it("UTF-16 and UTF-32 are refused", () => {
    for (const encoding of ["utf16le"] as const) {
      assert.deepStrictEqual(fault(Buffer.from("{}", encoding)), [1, PROPERTY])
      assert.deepStrictEqual(fault(Buffer.from("\ufeff{}", encoding)), [0, "Invalid UTF-8"])
    }
    assert.deepStrictEqual(fault(Uint8Array.of(0, 0, 0, 0x7b, 0, 0, 0, 0x7d)), [0, "Expecting value"])
  })

  it("200 levels are accepted, and the error is at the bracket of level 201", () => {
    const nested = (levels: number) => utf8("[".repeat(levels) + "]".repeat(levels))
    assert.isTrue(Result.isSuccess(parsed(nested(200))))
    assert.deepStrictEqual(fault(nested(201)), [200, "Recursion limit exceeded"])
    assert.deepStrictEqual(fault(utf8("{\"a\":".repeat(201))), [1_000, "Recursion limit exceeded"])
    assert.deepStrictEqual(fault(utf8("[".repeat(100_000))), [200, "Recursion limit exceeded"])
    assert.deepStrictEqual(fault(nested(5_000_000)), [200, "Recursion limit exceeded"])
  })
})

describe("5 The echo of input", () => {
  const echoes = (value: unknown) => Object.hasOwn(echo(value), "input")

  it("is omitted if its JSON is longer than exactly 1,000 characters", () => {
    const values = [
      (n: number) => "x".repeat(n - 2),
      (n: number) => ["x".repeat(n - 4)],
      (n: number) => ({ a: "x".repeat(n - 8) }),
      (n: number) => [true, null, "x".repeat(n - 14)],
      (n: number) => ({ "a\n": 1.5, b: [], c: {}, d: "x".repeat(n - 32) })
    ]
    for (const value of values) {
      const shortest = JSON.stringify(value(100)).length - 100
      assert.strictEqual(JSON.stringify(value(1_000 - shortest)).length, 1_000)
      assert.isTrue(echoes(value(1_000 - shortest)))
      assert.isFalse(echoes(value(1_001 - shortest)))
    }
  })

  it("is omitted if it has no JSON", () => {
    for (const value of [Infinity, NaN, "\ud800", ["\udc00"], { "\ud800": 1 }, undefined, [Infinity]]) {
      assert.isFalse(echoes(value), String(value))
    }
    assert.isTrue(echoes("😀"))
    assert.isTrue(echoes(null))
  })

  it("is computed without reading more than necessary", () => {
    let deep: unknown = 1
    for (let level = 0; level < 200; level++) deep = [deep]
    assert.isTrue(echoes(deep))
    assert.isFalse(echoes(Array.from({ length: 10_000_000 }, () => 1)))
  })
})
