import { assert, describe, it } from "@effect/vitest"
import { american, british } from "../../src/text/spelling.ts"

describe("a word with two spellings", () => {
  it.each([
    ["organises", "organizes"],
    ["virtualisation", "virtualization"],
    ["analysed", "analyzed"],
    ["colours", "colors"],
    ["behaviour", "behavior"],
    ["favourite", "favorite"],
    ["centre", "center"],
    ["kilometres", "kilometers"],
    ["catalogue", "catalog"],
    ["licence", "license"],
    ["programmes", "programs"]
  ])("is %s or %s", (one, other) => {
    assert.deepStrictEqual([british(one), british(other)], [one, one])
    assert.deepStrictEqual([american(one), american(other)], [other, other])
  })

  it("is not one that only ends alike", () => {
    for (
      const word of ["rise", "size", "hour", "four", "tour", "log", "blog", "letter", "program1", "sense", "basis"]
    ) {
      assert.deepStrictEqual([british(word), american(word)], [word, word])
    }
  })
})
