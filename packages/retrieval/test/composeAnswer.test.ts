import { assert, describe, it } from "@effect/vitest"
import { composeAnswer } from "../src/composeAnswer.ts"
import { extractAnswer } from "../src/extractAnswer.ts"

const NOW = new Date("2026-03-10T09:00:00Z")

const told = (query: string, texts: ReadonlyArray<string>, written: ReadonlyArray<string> = [], timezone = "UTC") => {
  const asked = { query, now: NOW, timezone, rarities: new Map() }
  const passages = texts.map((text, at) => ({ title: "", text, timestamp: new Date(written[at] ?? NOW) }))
  return composeAnswer(asked, extractAnswer(asked, passages), passages)
}

describe("an answer", () => {
  it("begins with the moment, the person, the place or the amount that was asked for", () => {
    assert.strictEqual(told("When do we ship?", ["We ship on 3 May."]), "3 May: We ship on 3 May. [1]")
    assert.match(
      told("When is it closed?", ["It is closed from December 24 to January 1."]),
      /^from December 24 to January 1: /
    )
    assert.match(told("When do deploys run?", ["Deploys run on weekdays before 16:00."]), /^weekdays before 16:00: /)
    assert.strictEqual(told("Who ships it?", ["Ada: Grace ships it."]), "Grace: Ada: Grace ships it. [1]")
    assert.strictEqual(
      told("How many crates ship?", ["There ship 40 crates."]),
      "40 crates: There ship 40 crates. [1]"
    )
  })

  it("says yes or no when the sentence decides it, and neither when it does not", () => {
    assert.match(told("Is the harbour frozen?", ["The harbour is frozen."]), /^Yes\. /)
    assert.match(told("Is the harbour frozen?", ["The harbour is not frozen."]), /^No\. /)
    assert.notMatch(told("Is the harbour of Oslo frozen over?", ["The harbour of Oslo is busy."]), /^(?:Yes|No)\./)
  })

  it("tells the date of a day that is named by its distance, by the calendar of whoever asks", () => {
    const written = ["2026-03-09T23:30:00Z"]
    assert.strictEqual(
      told("When do we ship?", ["We ship tomorrow."], written),
      "10 March 2026: We ship tomorrow (10 March 2026). [1]"
    )
    assert.match(told("When do we ship?", ["We ship tomorrow."], written, "Asia/Tokyo"), /^11 March 2026: /)
  })

  it("shows what contradicts itself with the latest first", () => {
    const texts = ["The ship leaves on 3 May.", "The ship leaves on 9 May."]
    assert.match(
      told("When does the ship leave?", texts, ["2026-01-01Z", "2026-02-01Z"]),
      /^9 May: .*\[1\] .*3 May\. \[2\]$/
    )
    assert.match(
      told("When does the ship leave?", texts, ["2026-02-01Z", "2026-01-01Z"]),
      /^3 May: .*\[1\] .*9 May\. \[2\]$/
    )
  })

  it("to a question about a day comes from what is about that day", () => {
    const texts = ["The standup is in room Tycho.", "The standup is in room Kepler."]
    const written = ["2026-03-10T08:00:00Z", "2026-03-11T08:00:00Z"]
    assert.match(told("Where is the standup tomorrow?", texts, written), /Kepler\. \[1\]$/)
    assert.match(told("Where is the standup today?", texts, written), /Tycho\. \[1\]$/)
    assert.strictEqual(told("Where was the standup last month?", texts, written), "")
  })

  it("has nothing in it that looks like a marker but is none", () => {
    assert.strictEqual(
      told("What does the note say?", ["The note [7] says so\nand so."]),
      "The note (7) says so and so. [1]"
    )
  })
})
