import { assert, describe, it } from "@effect/vitest"
import { cutChunks } from "../../src/text/cutChunks.ts"
import { bytesOf, document } from "../support/segments.ts"
import { charactersRead } from "../support/reading.ts"

const SIZE = 50_000

const different = (size: number): string => {
  let text = ""
  for (let at = 0; text.length < size; at++) text += `word${at.toString(36)} `
  return text.slice(0, size)
}

const TEXTS: ReadonlyArray<readonly [what: string, text: (size: number) => string]> = [
  ["one line", (size) => "word ".repeat(size / 5)],
  ["different words", different],
  ["one word", (size) => "a".repeat(size)],
  ["one word with accents", (size) => "é".repeat(size)],
  ["one word of Chinese", (size) => "会".repeat(size)],
  ["marks without end", (size) => `a${"\u0301".repeat(size - 1)}`],
  ["halves of pairs", (size) => "\ud83d".repeat(size)],
  ["emoji that join", (size) => "👨\u200d".repeat(size / 3)],
  ["stops", (size) => ".".repeat(size)],
  ["closing signs", (size) => `.${")".repeat(size - 1)}`],
  ["empty lines", (size) => "\n ".repeat(size / 2)],
  ["signs that join", (size) => "a-".repeat(size / 2)],
  ["fields within fields", (size) => "a=b/".repeat(size / 4)],
  ["names of many parts", (size) => `${"a=b/".repeat(45)} `.repeat(size / 181)],
  ["digits in groups", (size) => "12 ".repeat(size / 3)],
  ["signs that lead", (size) => "#a+".repeat(size / 3)],
  ["zeros", (size) => "\u0000".repeat(size)]
]

/** Of cutting a text, and of building a segment of it. */
const workOf = (text: string) => {
  let chunks: ReadonlyArray<string> = []
  let size = 0
  const cutting = charactersRead(() => (chunks = cutChunks(text)))
  const building = charactersRead(() => (size = bytesOf([document(1, chunks)]).length))
  return { cutting, building, size }
}

describe("the cost of a hostile document", () => {
  for (const [what, textOf] of TEXTS) {
    it(`of ${what} grows linearly with its length`, () => {
      const { building, cutting, size } = workOf(textOf(SIZE))
      assert.isAtMost(cutting, 5 * SIZE)
      assert.isAtMost(building, 25 * SIZE)
      assert.isAtMost(size, 2 * SIZE)
    })
  }

  it("without text is zero", () => {
    assert.strictEqual(workOf("").cutting, 0)
  })
})
