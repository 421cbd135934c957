// Long texts are cut where their Markdown may be.
import { assert, describe, it } from "vitest"
import { blocksOf } from "../src/text/blocks.ts"

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
    const isCode = blocks.map(({ fence, text }) => [text.includes("const value"), fence] as const).slice(1)
    assert.isAbove(isCode.filter(([code]) => code).length, 4)
    for (const [code, fence] of isCode) assert.strictEqual(fence, code ? "````ts\n" : "")
  })

  it("stay as they are while the text grows", () => {
    const text = `${PARAGRAPHS}~~~\n${LINES}~~~\n`
    for (let length = 0; length < text.length; length += 7_919) {
      const [, ...complete] = blocksOf(text.slice(0, length)).toReversed()
      assert.deepStrictEqual(complete.toReversed(), blocksOf(text).slice(0, complete.length))
    }
  })
})
