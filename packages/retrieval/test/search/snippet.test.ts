import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { snippet } from "../../src/search/snippet.ts"
import { occurrences } from "../../src/text/positions.ts"
import { LongText, Text } from "../support/texts.ts"

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

const FILLER = "Nothing of interest occurs in this sentence at all. ".repeat(8)

const marked = (text: string, query: string, length?: number) => {
  const shown = snippet(text, parseQuery(query), length)
  return shown.highlights.map(([start, end]) => shown.text.slice(start, end))
}

describe("a snippet", () => {
  it("starts with the sentence that contains the words of the query", () => {
    const shown = snippet(`${FILLER}The budget for Berlin was approved. ${FILLER}`, parseQuery("approved budgets"))
    assert.match(shown.text, /^The budget for Berlin was approved\. /)
    assert.strictEqual(shown.start, FILLER.length)
  })

  it("shows the position with most words of the query nearby", () => {
    const text = `The budget is old. ${FILLER}Ada approved the budget. ${FILLER}The budget is new.`
    assert.match(snippet(text, parseQuery("who approved the budget, Ada?")).text, /^Ada approved the budget\./)
  })

  it("highlights all forms of a word as written", () => {
    assert.deepStrictEqual(marked("Meetings: one meeting met CAFÉ.", "meeting cafe"), ["Meetings", "meeting", "CAFÉ"])
    assert.deepStrictEqual(marked("see ABC-123", "abc-123"), ["ABC", "123"])
    assert.deepStrictEqual(marked("the gar\u00adde\u00adning club", "gardens"), ["gar\u00adde\u00adning"])
    assert.deepStrictEqual(marked("👍🏽 café\u0301 👨‍👩‍👧 plan", "plan"), ["plan"])
  })

  it("has one highlight for words that overlap", () => {
    assert.deepStrictEqual(marked("\ud55c\uad6d\ud55c\uad6d", "\ud55c\uad6d\ud55c\uad6d", 3), ["\ud55c\uad6d\ud55c"])
  })

  it("is the start of the text if it contains nothing of the query", () => {
    const shown = snippet(`  ${FILLER}`, parseQuery("budget"))
    assert.isTrue(FILLER.startsWith(shown.text))
    assert.deepStrictEqual([shown.start, shown.highlights.length], [2, 0])
    assert.deepStrictEqual(snippet("", parseQuery("budget")), { text: "", start: 0, highlights: [] })
    assert.strictEqual(snippet(" \n ", parseQuery("budget")).text, "")
  })

  it("ends between two words if there are spaces", () => {
    assert.match(snippet(FILLER, parseQuery("budget"), 100).text, / (?:in|sentence|occurs|this|at|of)$/)
  })

  it("contains its word also in a script without spaces, however early the last space is", () => {
    const text = `標題 ${"我们明天开会".repeat(10)}然后讨论预算${"我们明天开会".repeat(60)}`
    const shown = snippet(text, parseQuery("预算"))
    assert.include(shown.text, "预算")
    assert.isAtLeast(shown.text.length, 150)
  })

  it("supports any length", () => {
    for (const length of [0, 1, 5, 10]) {
      assert.isAtMost(snippet("A budgetary decision", parseQuery("budgetary"), length).text.length, length)
    }
  })

  it.prop("is a slice of the text within the length that splits no character and highlights the query", [
    LongText,
    Text,
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }))
  ], ([text, asked, length]) => {
    // A run of marks that nobody reads as one character may be cut.
    const readable = text.replaceAll(/(?:[\p{M}\u200d]|\ud83d(?![\ude00-\udfff])){9,}/gu, "").toWellFormed()
    const query = parseQuery(asked)
    const shown = snippet(readable, query, length)
    assert.strictEqual(shown.text, readable.slice(shown.start, shown.start + shown.text.length))
    assert.isAtMost(shown.text.length, length)
    for (const [start, end] of shown.highlights) {
      assert.isTrue(start >= 0 && start < end && end <= shown.text.length)
      // Several words if they overlap, as pairs of characters do.
      const highlight = shown.text.slice(start, end)
      const words = occurrences(highlight, query.weights, query.languages)
      assert.strictEqual(Math.min(...words.map((word) => word.start)), 0)
      assert.strictEqual(Math.max(...words.map((word) => word.end)), highlight.length)
    }
    if (length < 70) return
    const borders = new Set([
      0,
      ...Array.from(graphemes.segment(readable), ({ index, segment }) => index + segment.length)
    ])
    assert.isTrue(borders.has(shown.start), "start")
    assert.isTrue(borders.has(shown.start + shown.text.length), "end")
  }, { arbitrary: { runs: extent(100, 1_000), size: 80 } })

  it("contains a word that ends within a character, with all of it", () => {
    const text = `${"x".repeat(236)} 3🏽🏽-a_`
    const { highlights, text: shown } = snippet(text, parseQuery("🏽"))
    assert.isAbove(highlights.length, 0)
    assert.include(shown, "3🏽🏽")
  })

  it.prop("contains a word of the query if the text does", [LongText, Text], ([text, asked]) => {
    const query = parseQuery(asked)
    const { highlights } = snippet(text, query)
    const whole = snippet(text, query, text.length + 1).highlights
    if (whole.length > 0) assert.isAbove(highlights.length, 0)
  }, { arbitrary: { runs: extent(100, 1_000), size: 60 } })
})
