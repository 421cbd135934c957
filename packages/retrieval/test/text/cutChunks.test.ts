import { assert, describe, it } from "@effect/vitest"
import { extent } from "../../../../.ci/extent.ts"
import { cutChunks } from "../../src/text/cutChunks.ts"
import { MAX_SEGMENT_CHUNKS } from "../../src/segment/SegmentBuilder.ts"
import { LongText } from "../support/texts.ts"

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })

/** The places in a text where a character ends. */
const borders = (text: string): ReadonlySet<number> =>
  new Set([0, ...Array.from(graphemes.segment(text), ({ index, segment }) => index + segment.length)])

describe("the chunks of a text", () => {
  it.prop("join to the text, and none is empty", [LongText], ([text]) => {
    const chunks = cutChunks(text)
    assert.strictEqual(chunks.join(""), text)
    assert.isTrue(chunks.every((chunk) => chunk.length > 0 && chunk.length <= 600))
  }, { arbitrary: { runs: extent(100, 1_000), size: 120 } })

  it.prop("never split a character", [LongText], ([text]) => {
    // A run of marks that nobody reads as one character may be cut.
    const readable = text.replaceAll(/(?:[\p{M}\u200d]|\ud83d(?![\ude00-\udfff])){20,}/gu, "")
    const whole = borders(readable)
    let end = 0
    for (const chunk of cutChunks(readable)) assert.isTrue(whole.has(end += chunk.length))
  }, { arbitrary: { runs: extent(100, 1_000), size: 120 } })

  it("end with a sentence if one ends in their second half", () => {
    const text = `${"One sentence of some length stands here. ".repeat(40)}`
    for (const chunk of cutChunks(text)) assert.match(chunk, /here\. $/)
    const quoted = "„Ein Satz von einiger Länge steht hier.“ ".repeat(40)
    for (const chunk of cutChunks(quoted)) assert.match(chunk, /^„.*hier\.“ $/)
    for (const chunk of cutChunks("「これは少し長い文です。」".repeat(100))) assert.match(chunk, /^「.*。」$/)
  })

  it("otherwise end with a word", () => {
    for (const chunk of cutChunks("word ".repeat(1_000))) assert.match(chunk, /^(?:word )+$/)
  })

  it("have about the same length in scripts without spaces", () => {
    assert.strictEqual(cutChunks("会".repeat(6_000)).length, 10)
    assert.isAtMost(cutChunks("今日は会議です。".repeat(600)).length, 16)
  })

  it("hold as many rows of a table whose cells are aligned as of one whose cells are not", () => {
    const rows = Array.from({ length: 40 }, (_, at) => [`PORT_${at}`, `The port of server ${at}.`, "80"])
    const table = (widths: ReadonlyArray<number>) =>
      [["Name", "Use", "Default"], widths.map((width) => "-".repeat(Math.max(3, width))), ...rows]
        .map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |\n`).join("")
    const rowsIn = (text: string) => cutChunks(text).map((chunk) => chunk.split("\n").length - 1)
    const withoutEnds = (counts: ReadonlyArray<number>) => counts.slice(1, -1)
    assert.isTrue(withoutEnds(rowsIn(table([0, 0, 0]))).every((count) => count >= 9))
    assert.isTrue(withoutEnds(rowsIn(table([40, 160, 30]))).every((count) => count >= 9))
    assert.isTrue(cutChunks(table([900, 3_000, 900])).every((chunk) => chunk.length <= 2_400))
  })

  it("of an empty text do not exist", () => {
    assert.deepStrictEqual(cutChunks(""), [])
  })

  it("are never more than a segment can hold, for any text", () => {
    const size = 1_000_000
    for (const unit of ["a", "a ", "a\n", "\u0301", "\u200d", "👍🏽", "\ud83d", ".", ". ", "\u0000", "|    ", "|----"]) {
      const text = unit.repeat(size / unit.length)
      const chunks = cutChunks(text)
      assert.isAtMost(chunks.length, size / 300, JSON.stringify(unit))
      assert.strictEqual(chunks.reduce((sum, chunk) => sum + chunk.length, 0), text.length)
    }
    assert.isAtMost(cutChunks("a. ".repeat(8_000_000)).length, MAX_SEGMENT_CHUNKS)
    assert.isAtMost(cutChunks("a".repeat(30_000_000)).length, MAX_SEGMENT_CHUNKS)
  })
})
