// Long texts are cut where their Markdown may be.
import { assert, describe, it } from "vitest"
import { blocksOf } from "../src/text/blocks.ts"
import { withTableRules } from "../src/text/tables.ts"

const LINES = Array.from({ length: 5_000 }, (_, index) => `const value${index} = ${index}\n`).join("")

const paragraph = (index: number): string => `Paragraph ${index} ${"of many words ".repeat(30)}\n\n`
const PARAGRAPHS = Array.from({ length: 200 }, (_, index) => paragraph(index)).join("")

describe("The blocks of a text", () => {
  it("join to it, and split no character", () => {
    for (
      const text of ["", "short", PARAGRAPHS, `\`\`\`\n${LINES}\`\`\`\n`, "\n".repeat(50_000), "🚀".repeat(30_000)]
    ) {
      const blocks = blocksOf(text)
      assert.strictEqual(blocks.map(({ text }) => text).join(""), text)
      for (const { start, text: own } of blocks) {
        assert.strictEqual(text.slice(start, start + own.length), own)
        assert.isTrue(own.isWellFormed())
        assert.isAtMost(own.length, 20_001)
      }
    }
  })

  it("know the fenced code that they continue, up to its end", () => {
    const blocks = blocksOf(`# Code\n\n\`\`\`\`ts\n${LINES}\`\`\`\nstill code\n\`\`\`\`\n\n${PARAGRAPHS}`)
    const isCode = blocks.map(({ opening, text }) => [text.includes("const value"), opening] as const).slice(1)
    assert.isAbove(isCode.filter(([code]) => code).length, 4)
    for (const [code, opening] of isCode) assert.strictEqual(opening, code ? "````ts\n" : "")
  })

  it("know the head of the table that they continue, up to its end", () => {
    const head = "| Crew | Ship |\n|---|---|\n"
    const rows = Array.from({ length: 5_000 }, (_, index) => `| Crew ${index} | Ship ${index} |\n`).join("")
    const blocks = blocksOf(`# Fleet\n\n${head}${rows}\n${PARAGRAPHS}`)
    const isTable = blocks.map(({ opening, text }) => [text.includes("| Crew"), opening] as const).slice(1)
    assert.isAbove(isTable.filter(([table]) => table).length, 4)
    for (const [table, opening] of isTable) assert.strictEqual(opening, table ? head : "")
  })

  it("stay as they are while the text grows", () => {
    const text = `${PARAGRAPHS}~~~\n${LINES}~~~\n`
    for (let length = 0; length < text.length; length += 7_919) {
      const [, ...complete] = blocksOf(text.slice(0, length)).toReversed()
      assert.deepStrictEqual(complete.toReversed(), blocksOf(text).slice(0, complete.length))
    }
  })
})

describe("The rows of a table", () => {
  const ROWS = "| Ferry | 20 \\| 30 |\n| Barge | 40 |"

  it("are one without the line below their head", () => {
    assert.strictEqual(withTableRules(ROWS), `\n| | |\n|---|---|\n${ROWS}`)
    const head = "| Boat | Fare |"
    assert.strictEqual(
      withTableRules(`Fares:\n${head}\n${ROWS}\nEnd.`, (row) => row === head),
      `Fares:\n\n${head}\n|---|---|\n${ROWS}\nEnd.`
    )
  })

  it("stay as they are with it, and in code", () => {
    for (const text of [`| Boat | Fare |\n| :-- | --- |\n${ROWS}`, `\`\`\`\n${ROWS}\n\`\`\``, "either | or"]) {
      assert.strictEqual(withTableRules(text), text)
    }
  })
})
