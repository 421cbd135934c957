import { assert, describe, it } from "@effect/vitest"
import { extent } from "../../../../.ci/extent.ts"
import { sentences } from "../../src/text/sentences.ts"
import { LongText } from "../support/texts.ts"

const cut = (text: string) => sentences(text).map(({ end, start }) => text.slice(start, end))

describe("the sentences of a text", () => {
  it("end at full stops, question and exclamation marks and their closing signs", () => {
    assert.deepStrictEqual(cut("One. Two? Three! \"Four.\" (Five.) Six… Seven"), [
      "One.",
      "Two?",
      "Three!",
      "\"Four.\"",
      "(Five.)",
      "Six…",
      "Seven"
    ])
    assert.deepStrictEqual(cut("会议明天。真的吗？是！"), ["会议明天。", "真的吗？", "是！"])
    assert.deepStrictEqual(cut("„Eins.“ « Deux. » «Три.» „Vier“"), ["„Eins.“", "« Deux. »", "«Три.»", "„Vier“"])
    assert.deepStrictEqual(cut("彼は「はい。」と言った。次です。"), ["彼は「はい。」と言った。", "次です。"])
  })

  it("do not end at abbreviations, initials and numbers", () => {
    for (
      const text of [
        "Dr. Ada met Prof. Hopper.",
        "It costs e.g. 3.50 euros.",
        "See J. R. Smith vs. Acme Inc. today.",
        "The U.S. team won.",
        "Siehe Nr. 4 und Abs. 2, ca. 5 m.",
        "См. рис. 5 на стр. 3.",
        "Vea la pág. 7 o el núm. 3.",
        "It is in fig. 3 of v1.2.3 now.",
        "Open report_v2.pdf first."
      ]
    ) assert.deepStrictEqual(cut(text), [text])
  })

  it("end with a paragraph and with a list item", () => {
    assert.deepStrictEqual(cut("Heading\n\nText goes\non.\n- one\n- two\n3. three"), [
      "Heading",
      "Text goes\non.",
      "- one",
      "- two",
      "3. three"
    ])
  })

  it("end with a log line, and continue if wrapped prose starts a line with a date", () => {
    assert.deepStrictEqual(cut("[09:15] Ada: on it\n[09:20] Ben: done\nand rested"), [
      "[09:15] Ada: on it",
      "[09:20] Ben: done\nand rested"
    ])
    const prose = "The audit took place on\n14 March 2026 in Lisbon and\nended early"
    assert.deepStrictEqual(cut(prose), [prose])
  })

  it("do not exist in white space", () => {
    assert.deepStrictEqual(cut(""), [])
    assert.deepStrictEqual(cut(" \n\n \t"), [])
  })

  it.prop("are in order, omit only white space, and have a maximum length", [LongText], ([text]) => {
    let last = 0
    for (const { end, start } of sentences(text)) {
      assert.strictEqual(text.slice(last, start).trim(), "")
      assert.isTrue(end > start && end - start <= 400)
      assert.strictEqual(text.slice(start, end), text.slice(start, end).trim())
      last = end
    }
    assert.strictEqual(text.slice(last).trim(), "")
  }, { arbitrary: { runs: extent(100, 1_000), size: 80 } })
})
