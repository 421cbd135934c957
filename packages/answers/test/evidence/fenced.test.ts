import { assert, describe, it } from "vitest"
import { fenced } from "../../src/evidence/fenced.ts"

const TEXT = "Run it:\n\n```sh\nnpm install\n\nnpm start\n```\n\nIt listens on 8787."

const shown = (from: string, to: string): string =>
  fenced(TEXT, { start: TEXT.indexOf(from), end: TEXT.indexOf(to) + to.length })

describe("part of a text with code", () => {
  it("does not change if it has whole blocks, or none", () => {
    assert.strictEqual(shown("Run", "8787."), TEXT)
    assert.strictEqual(shown("It listens", "8787."), "It listens on 8787.")
  })

  it("gets the fence of the block that it was cut from", () => {
    assert.strictEqual(shown("npm start", "8787."), "```\nnpm start\n```\n\nIt listens on 8787.")
    assert.strictEqual(shown("Run", "install"), "Run it:\n\n```sh\nnpm install\n```")
    assert.strictEqual(shown("npm install", "start"), "```\nnpm install\n\nnpm start\n```")
  })

  it("is code up to the first fence if the text was cut out of code", () => {
    const text = "npm start\n```\n\nThen:\n\n```sh\nnpm test\n```"
    assert.strictEqual(fenced(text, { start: 0, end: 9 }), "```\nnpm start\n```")
    assert.strictEqual(fenced(text, { start: 15, end: 20 }), "Then:")
  })

  it("does not start a block with a closing fence", () => {
    assert.strictEqual(fenced("```\na\n```\nb", { start: 4, end: 9 }), "```\na\n```")
  })
})
