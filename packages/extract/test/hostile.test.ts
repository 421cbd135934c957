// Texts of millions of characters of one kind, in strings that take two bytes for each: these are read by other code.
import { assert, describe, it } from "@effect/vitest"
import { extent } from "../../../.ci/extent.ts"
import { calendarText } from "../src/internal/formats/calendarText.ts"
import { htmlText } from "../src/internal/formats/htmlText.ts"
import { markdownHead } from "../src/internal/formats/markdownHead.ts"
import { extractedText } from "../src/internal/extractedText.ts"

const SIZE = extent(2_000_000, 10_000_000)

const huge = (piece: string) => piece.repeat(SIZE / piece.length)

describe("Markdown of one endless line", () => {
  it.each(
    [
      ["a heading", "# ", "word "],
      ["a heading of spaces", "#", " "],
      ["a heading of marks", "# ", "#"],
      ["a fence", "", "`"],
      ["a fence of tildes", "", "~"],
      ["an underline", "Title\n", "="],
      ["spaces", "", " "],
      ["brackets", "# ", "["],
      ["front matter", "---\ntitle: ", "word "],
      ["a quoted title", "---\ntitle: \"", "a"],
      ["authors", "---\nauthors: [", "a, "],
      ["an item of front matter", "---\nauthors:\n- ", " "],
      ["the end of front matter", "---\n---", " "],
      ["a date", "---\ndate: 2026-03-01T10:00:00.", "1"]
    ] as const
  )("in %s is read", (_, before, piece) => {
    for (const behind of ["\u2620", "\u2028x", "\r\r\u2620"]) {
      const { title } = extractedText("", markdownHead(`${before}${huge(piece)}${behind}`))
      assert.isAtMost(title?.length ?? 0, 10_000)
    }
  })

  it("is read in linear time, even with ten thousand lines of spaces", () => {
    assert.isNull(extractedText("", markdownHead(`# ${" ".repeat(3_000)}\u2028x\n`.repeat(10_000))).title)
  })
})

describe("HTML of one endless kind", () => {
  it.each(
    [
      ["spaces", "<p>", " "],
      ["spaces of another kind", "<title>", "\u2003"],
      ["open elements", "", "<div>"],
      ["brackets", "", "<"],
      ["brackets with names", "", "<a"],
      ["ampersands", "", "&"],
      ["an entity", "&", "a"],
      ["an attribute", "<a b=\"", "a"],
      ["a style of spaces", "<p style=\";", " "],
      ["styles", "<p style=\"", "; display "],
      ["a date", "<meta name=date content=\"", "("],
      ["a comment", "<!--", "-"]
    ] as const
  )("in %s is read", (_, before, piece) => {
    assert.isAtMost(htmlText(`${before}${huge(piece)}\u2620`).title?.length ?? 0, 10_000)
  })
})

describe("a calendar", () => {
  it("with a text in a million lines that should have been one is read in linear time", () => {
    const event = ["BEGIN:VEVENT", "UID:1", "SUMMARY:Start", `DESCRIPTION:a\n${huge("b\n")}`, "END:VEVENT"]
    const { text } = calendarText(["BEGIN:VCALENDAR", ...event, "END:VCALENDAR", ""].join("\r\n"))
    assert.include(text, `a\n${huge("b\n").trimEnd()}`)
  })
})
