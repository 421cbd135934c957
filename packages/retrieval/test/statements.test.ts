import { assert, describe, it } from "@effect/vitest"
import { statements } from "../src/extractive/statements.ts"
import { LongText } from "./support/texts.ts"

const read = (text: string) => statements(text).map(({ end, form, start }) => [form, text.slice(start, end)])

const TABLE = "| Key | Value |\n| :-- | --: |\n| `A` | 1 |\n|B|a \\| b|"

describe("the statements of a text", () => {
  it("are its sentences, the rows of its tables and its lines of code", () => {
    assert.deepStrictEqual(read(`# Keys\n\nThere are two. See:\n\n${TABLE}\n\nThat is all.\n\n~~~\nmake all\n~~~`), [
      ["sentence", "There are two."],
      ["sentence", "See:"],
      ["row", "| `A` | 1 |"],
      ["row", "|B|a \\| b|"],
      ["sentence", "That is all."],
      ["code", "make all"]
    ])
  })

  it("hold the cells of a row under the heads of their columns, with or without bars at the ends", () => {
    for (const text of [TABLE, "Key | Value\n--- | ---\n`A` | 1\nB | a \\| b"]) {
      const cells = statements(text).map(({ cells }) =>
        cells.map(({ end, head, start }) => [head, text.slice(start, end)])
      )
      assert.deepStrictEqual(cells, [[["Key", "`A`"], ["Value", "1"]], [["Key", "B"], ["Value", "a \\| b"]]])
    }
  })

  it("do not take a bar within prose for a table", () => {
    assert.deepStrictEqual(read("Either ink | paper.\nOr c."), [["sentence", "Either ink | paper."], [
      "sentence",
      "Or c."
    ]])
  })

  it("hold the list or the code that they announce", () => {
    assert.deepStrictEqual(read("You need:\n- ink\n- paper\n\nThen print.")[0], [
      "sentence",
      "You need:\n- ink\n- paper"
    ])
    assert.deepStrictEqual(read("Run this:\n\n```sh\nmake all\nmake test\n```")[0], [
      "sentence",
      "Run this:\n\n```sh\nmake all\nmake test"
    ])
    assert.deepStrictEqual(read("You need:\n\nNothing.")[0], ["sentence", "You need:"])
  })

  it("hold no part of code that is too long to be quoted", () => {
    const code = "make all\n".repeat(60)
    assert.deepStrictEqual(read(`Run this:\n\n\`\`\`\n${code}\`\`\``)[0], ["sentence", "Run this:"])
  })

  it("stand under the headings above them, and under the lines before a text", () => {
    const text = "From: Ada\nTo: Grace\n\n# One\n\nFirst here.\n\n## Two\n\nSecond here.\n\n# Three\n\nThird here."
    const under = (sentence: string) => statements(text).find(({ start }) => text.startsWith(sentence, start))?.under
    assert.strictEqual(under("First"), "From: Ada\nTo: Grace\nOne")
    assert.strictEqual(under("Second"), "From: Ada\nTo: Grace\nOne\nTwo")
    assert.strictEqual(under("Third"), "From: Ada\nTo: Grace\nThree")
  })

  it.prop("stand verbatim, in order, with their cells in them", [LongText], ([text]) => {
    const table = `${text}\n| a | b |\n|---|---|\n| ${text.replaceAll("\n", " ")} | 1 |`
    let last = 0
    for (const { cells, core, end, start } of statements(table)) {
      assert.isTrue(start >= last && start < core.end && core.end <= end && end <= table.length)
      assert.strictEqual(table.slice(start, end), table.slice(start, end).trim())
      for (const cell of cells) assert.isTrue(cell.start >= start && cell.start <= cell.end && cell.end <= end)
      last = core.end
    }
  }, { arbitrary: { runs: 200, size: 60 } })
})
