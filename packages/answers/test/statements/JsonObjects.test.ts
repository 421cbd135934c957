import { Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { JsonObjects } from "../../src/statements/JsonObjects.ts"
import { ModelReply, ModelStatement } from "../../src/statements/ModelReply.ts"

const read = (text: string, size = text.length): ReadonlyArray<unknown> => {
  const objects = new JsonObjects()
  return Array.from(
    { length: Math.ceil(text.length / size) },
    (_, index) => objects.push(text.slice(index * size, (index + 1) * size))
  ).flat()
}

const one = "{\"text\":\"On weekdays.\",\"quotes\":[{\"passage\":1,\"quote\":\"They run on {weekdays}\"}]}"
const inner = { passage: 1, quote: "They run on {weekdays}" }
const outer = { text: "On weekdays.", quotes: [inner] }

describe("the JSON objects of a reply", () => {
  test.each([
    ["alone", one],
    ["in a list", `[${one}]`],
    ["in a code fence", `\`\`\`json\n${one}\n\`\`\``],
    ["after prose with quotation marks and braces", `It's "so", see {this: "x} or { y }:\n${one}`],
    ["after a thought with an object", `<think>maybe {"text":"no"}, or {"text":"</think>${one}`],
    ["after a thought of another spelling", `<thinking>{"a":1}</thinking>${one} that's it`],
    ["after less-than signs", `1 < 2 <thin ${one}`],
    ["after a closing brace too many", `} ${one} }`]
  ])("are found %s, in pieces of every size", (_, text) => {
    for (const size of [1, 2, 3, 7, text.length]) expect(read(text, size)).toEqual([inner, outer])
  })

  test("are found one per line", () => {
    expect(read(`${one}\n${one}\n`, 5)).toEqual([inner, outer, inner, outer])
  })

  test("are found as soon as they are complete", () => {
    const objects = new JsonObjects()
    expect(objects.push("{\"statements\":[{\"a\":1}")).toEqual([{ a: 1 }])
    expect(objects.push(",{\"a\":")).toEqual([])
    expect(objects.push("2}]}")).toEqual([{ a: 2 }, { statements: [{ a: 1 }, { a: 2 }] }])
  })

  test("are recognised as statements and as the whole reply", () => {
    const found = read(`{"statements":[${one}]}`)
    expect(found.filter(Schema.is(ModelStatement))).toEqual([outer])
    expect(found.filter(Schema.is(ModelReply))).toEqual([{ statements: [outer] }])
  })

  test("are parsed with raw line breaks in strings", () => {
    expect(read("{\"text\":\"one\ntwo\"}")).toEqual([{ text: "one\ntwo" }])
  })

  test("are absent in a thought that never ends, in an empty reply, and in prose", () => {
    expect([...read(`<think>${one}`), ...read(""), ...read("I think on weekdays.")]).toEqual([])
  })

  test.each([
    ["deep", "{\"a\":".repeat(40_000) + "1" + "}".repeat(40_000)],
    ["long", `{"a":"${"→".repeat(400_000)}"}`],
    ["full of others", `{"a":[${"{},".repeat(100_000)}1]}`]
  ])("take linear time in one piece and in the smallest ones, however %s a reply is", (_, reply) => {
    const begun = performance.now()
    for (const size of [reply.length, 1]) read(reply, size)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test("are the same for any split of the reply", () => {
    const value = fc.record({
      text: fc.string({ unit: "binary" }),
      quotes: fc.array(fc.record({ quote: fc.string() }))
    })
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[a-z "'}]*$/), (value, size, prose) => {
        expect(read(`${prose}${JSON.stringify({ statements: [value] })}`, size)).toEqual(
          [...value.quotes, value, { statements: [value] }]
        )
      })
    )
  })
})
