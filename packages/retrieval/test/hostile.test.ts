import { assert, describe, it } from "@effect/vitest"
import { cutChunks } from "../src/cutChunks.ts"
import { composeAnswer } from "../src/composeAnswer.ts"
import { extractAnswer } from "../src/extractAnswer.ts"
import { parseQuery } from "../src/Query.ts"
import { rerank } from "../src/rerank.ts"
import { scoringOf } from "../src/scoring.ts"
import { sentences } from "../src/sentences.ts"
import { snippet } from "../src/snippet.ts"
import { visitWords } from "../src/words.ts"
import { document, search, segmentOf } from "./support/segments.ts"

const SIZE = 10_000_000

const countWords = (text: string): number => {
  let count = 0
  visitWords(text, () => count++)
  return count
}

/** Texts of ten million characters, and how many words there are to find in them. */
const HUGE: ReadonlyArray<readonly [what: string, text: string, words: number]> = [
  ["one word", "a".repeat(SIZE), 0],
  ["one word with accents", "é".repeat(SIZE), 0],
  ["one line", "word ".repeat(SIZE / 5), SIZE / 5],
  ["marks without end", `a${"\u0301".repeat(SIZE - 1)}`, 0],
  ["halves of pairs", "\ud83d".repeat(SIZE), 0],
  ["stops", ".".repeat(SIZE), 0],
  ["closing signs", `.${")".repeat(SIZE)}`, 0],
  ["open quotes", "\u201c".repeat(SIZE), 0],
  ["empty lines", "\n ".repeat(SIZE / 2), 0],
  ["signs that join", "a-".repeat(SIZE / 2), SIZE / 2],
  ["zeros", "\u0000".repeat(SIZE), 0]
]

describe("a text of ten million characters", () => {
  for (const [what, text, words] of HUGE) {
    it(`of ${what} is read to its end`, () => {
      assert.strictEqual(countWords(text), words)
      assert.isAtLeast(sentences(text).reduce((sum, { end, start }) => sum + end - start, 0), text.trim().length * 0.8)
      const some = text.slice(0, SIZE / 10)
      assert.isAtMost(snippet(some, parseQuery("word")).text.length, 240)
      assert.isAtMost(parseQuery(some).weights.size, 64)
    })
  }
})

describe("a hostile document", () => {
  it("with 100,000 different words is found by any of them", () => {
    const words = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}`)
    const part = segmentOf([document(1, ["other words"]), document(2, cutChunks(words.join(" ")))])
    for (const at of [0, 1, 50_000, 99_999]) {
      assert.strictEqual(search([part], words[at]!)[0]?.documentId, document(2, []).id)
    }
    assert.isAbove(part.segment.terms.size, 90_000)
  })

  it("of one line is found by the word in its middle", () => {
    const text = `${"filler ".repeat(100_000)}needle ${"filler ".repeat(100_000)}`
    const chunks = cutChunks(text)
    const part = segmentOf([document(1, chunks)])
    const [hit] = search([part], "needle")
    assert.include(chunks[hit!.ordinal]!, "needle")
    assert.include(snippet(chunks[hit!.ordinal]!, parseQuery("needle")).text, "needle")
  })

  it("with NUL, without words, or without anything stands beside others unharmed", () => {
    const part = segmentOf([
      document(1, ["a\u0000plan\u0000b"]),
      document(2, [""]),
      document(3, ["\u0301\u0301"]),
      document(4, ["plan"])
    ])
    assert.strictEqual(search([part], "plan").length, 2)
    assert.strictEqual(search([part], "pl\u0000an").length, 0)
  })

  it("that repeats one word does not outgrow its count", () => {
    const part = segmentOf([
      document(1, ["plan ".repeat(10_000)], { title: "plan ".repeat(1_000) }),
      document(2, ["plan and budget"])
    ])
    assert.isTrue(search([part], "plan").every(({ score }) => Number.isFinite(score)))
    assert.strictEqual(search([part], "budget").length, 1)
  })
})

describe("a hostile query", () => {
  const texts = ["the plan of the team", "the budget of it all", "to be or not to be"]
  const part = segmentOf(texts.map((text, at) => document(at, [text])))

  const ask = (query: string) => {
    const hits = search([part], query, { groupBy: "chunk" })
    const ranked = rerank([part], parseQuery(query), hits, ({ chunk }) => [texts[chunk]!])
    assert.isTrue(ranked.every(({ score }) => Number.isFinite(score)))
    const asked = { query, now: new Date(0), timezone: "UTC", rarities: scoringOf([part], parseQuery(query)).rarities }
    const passages = ranked.map(({ chunk }) => ({ text: texts[chunk]!, title: "", timestamp: new Date(0) }))
    composeAnswer(asked, extractAnswer(asked, passages), passages)
    return ranked.map(({ chunk }) => chunk)
  }

  it("of a thousand stop words finds those words", () => {
    assert.strictEqual(ask("to be or not to be ".repeat(170))[0], 2)
  })

  it("of signs alone finds nothing", () => {
    assert.deepStrictEqual(ask("?!… -- \"\" ''((".repeat(1_000)), [])
  })

  it("of a thousand rare words is read as far as any question goes", () => {
    const rare = Array.from({ length: 1_000 }, (_, at) => `rare${at}x`).join(" ")
    assert.isAtMost(parseQuery(rare).weights.size, 64)
    assert.isAtMost(parseQuery(rare).identifiers.length, 64)
    assert.deepStrictEqual(ask(`${rare} budget`), [])
    assert.deepStrictEqual(ask(`budget ${rare}`), [1])
  })

  it("of one word a thousand times finds what one word finds", () => {
    assert.deepStrictEqual(ask("budget ".repeat(1_000)), ask("budget"))
  })
})
