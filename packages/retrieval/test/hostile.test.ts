import { assert, describe, it } from "@effect/vitest"
import { cutChunks } from "../src/text/cutChunks.ts"
import { parseQuery } from "../src/search/query/Query.ts"
import { rerank } from "./support/rerank.ts"
import { snippet } from "../src/search/snippet.ts"
import { significantWords, STOP_WORDS } from "../src/text/stopWords.ts"
import { HUGE, readToItsEnd } from "./support/hugeTexts.ts"
import { bytesOf, document, search, segmentOf } from "./support/segments.ts"
import { workOf } from "./support/work.ts"

describe("a text of ten million characters", () => {
  // With a sign beyond Latin-1 behind them they are read where regular expressions need most of their stack (`hugeTexts`).
  for (const huge of HUGE) it(`of ${huge.what} is read completely`, () => readToItsEnd(huge))
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

  it("with NUL, without words, or empty does not affect others", () => {
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
    return ranked.map(({ chunk }) => chunk)
  }

  it("of a thousand stop words finds those words", () => {
    assert.strictEqual(ask("to be or not to be ".repeat(170))[0], 2)
  })

  it("of punctuation only finds nothing", () => {
    assert.deepStrictEqual(ask("?!… -- \"\" ''((".repeat(1_000)), [])
  })

  it("of a thousand rare words is truncated", () => {
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

describe("the cost of a hostile query", () => {
  const rare = Array.from({ length: 2_000 }, (_, at) => `rare${"abcdefghij"[at % 10]}${at.toString(36)}`)
  /** Each holds some rare words, and all of them the same frequent ones. */
  const bytes = bytesOf(
    Array.from(
      { length: 400 },
      (_, at) => document(at, [`to be or not to be ${rare.slice(at * 5, at * 5 + 5).join(" ")}`])
    )
  )

  it("is zero for punctuation only", () => {
    assert.deepStrictEqual(workOf(bytes, "?!… -- \"\" ''((".repeat(1_000)), { lookups: 0, lists: 0, words: 0 })
  })

  it("does not grow with repetitions of its words", () => {
    const { words, ...once } = workOf(bytes, "to be or not to be")
    const { words: more, ...often } = workOf(bytes, "to be or not to be ".repeat(170))
    assert.deepStrictEqual(often, once)
    // Those of fifty documents of eleven words, of which each takes two bytes at the most.
    assert.isAtMost(Math.max(words, more), 50 * 11 * 2)
  })

  it("does not grow with its words beyond a maximum", () => {
    const work = workOf(bytes, rare.slice(0, 1_000).join(" "))
    assert.deepStrictEqual(workOf(bytes, rare.join(" ")), work)
    // Each of 64 words, in three spellings, and each of 64 names is looked up four times: for its idf, its postings,
    // its counts and its positions. Each word is also looked up once as two words with a hyphen.
    assert.isAtMost(work.lookups, 5 * 3 * 64 + 4 * 64)
    assert.isAtMost(work.lists, 4 * (3 * 64 + 64))
    const british = workOf(bytes, Array.from({ length: 1_000 }, (_, at) => `rare${at.toString(36)}colour`).join(" "))
    assert.isAtMost(british.lookups, 5 * 3 * 64 + 4 * 64)
  })

  it("reads the words of a document only if it contains two words of the query", () => {
    const texts = (more: string) =>
      bytesOf(Array.from({ length: 50 }, (_, at) => document(at, [`budget ${at < 5 ? more : "talk"}`])))
    assert.strictEqual(workOf(texts("plan"), "budget launch").words, 0)
    const { words } = workOf(texts("launch"), "budget launch")
    assert.isAbove(words, 0)
    assert.isAtMost(words, 5 * 2 * 2)
  })

  it("is parsed in one pass, however many of its stop words are capitalized", () => {
    let asked = 0
    const words = new Proxy(Array.from({ length: 2_000 }, () => "May"), {
      get: (target, key, receiver) => {
        asked++
        return Reflect.get(target, key, receiver)
      }
    })
    assert.deepStrictEqual(significantWords(words, STOP_WORDS), [])
    assert.isAtMost(asked, 2_000 * 20)
  })
})
