import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { isContentLine, unfoldLines } from "../src/internal/contentLines.ts"

const Pieces = Schema.Array(Schema.Literals(["\r", "\n", " ", "\t", "\r\n", "\r\n ", "a", "\u00c3"]))

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe("The lines of a calendar", () => {
  it.prop("go on behind a line break and a blank, and lose nothing else", [Arbitrary.schema(Pieces)], ([pieces]) => {
    const text = pieces.join("")
    assert.deepStrictEqual(unfoldLines(bytesOf(text)), bytesOf(text.replace(/\r?\n[ \t]/g, "")))
  })

  it("begin with a name, or continue a text", () => {
    const lines = [
      "UID:1",
      "DTSTART;TZID=Europe/Berlin:20250304T090000",
      "X-A.B:",
      "at the gate: bring a key",
      "",
      ":1"
    ]
    assert.deepStrictEqual(lines.map(isContentLine), [true, true, true, false, false, false])
  })
})
