import { assert, describe, it } from "@effect/vitest"
import { composeAnswer } from "../src/extractive/composeAnswer.ts"
import { extractAnswer, type Passage } from "../src/extractive/extractAnswer.ts"

const NOW = new Date("2026-03-10T09:00:00Z")

const tell = (query: string, passages: ReadonlyArray<Passage>, timezone = "UTC") => {
  const asked = { query, now: NOW, timezone, idf: new Map() }
  return composeAnswer(asked, extractAnswer(asked, passages), passages)
}

const told = (query: string, texts: ReadonlyArray<string>, written: ReadonlyArray<string> = [], timezone = "UTC") =>
  tell(query, texts.map((text, at) => ({ title: "", text, timestamp: new Date(written[at] ?? NOW) })), timezone)

describe("an answer", () => {
  it("begins with the moment, the person, the place or the amount that was asked for, where a sentence is long", () => {
    const more = "once the crew has been told and the harbour is free of ice"
    for (
      const [question, sentence, lead] of [
        ["When do we ship?", `We ship on 3 May ${more}.`, "3 May: "],
        [
          "When is it closed?",
          `It is closed from December 24 to January 1 ${more}.`,
          "From December 24 to January 1: "
        ],
        ["When do deploys run?", `Deploys run on weekdays before 16:00 ${more}.`, "Weekdays before 16:00: "],
        ["Who ships it?", `Ada: Grace ships it ${more}.`, "Grace: "],
        ["Who can ship it?", `Ada: I can ship it ${more}.`, "Ada: "],
        ["Where is the ship?", `The ship is in dock 7 ${more}.`, "In dock 7: "],
        ["How many crates ship?", `There ship 40 large crates ${more}.`, "40 large: "],
        ["How much does the ship cost?", `Of 12 offers the ship of Ada costs 900 euros ${more}.`, "900 euros: "]
      ] as const
    ) assert.strictEqual(told(question, [sentence]), `${lead}${sentence} [1]`)
  })

  it("repeats nothing of a short sentence", () => {
    assert.strictEqual(told("When do we ship?", ["We ship on 3 May."]), "We ship on 3 May. [1]")
  })

  it("says yes or no when the sentence decides it, and neither when it does not", () => {
    assert.match(told("Is the harbour frozen?", ["The harbour is frozen."]), /^Yes\. /)
    assert.match(told("Is the harbour frozen?", ["The harbour is not frozen."]), /^No\. /)
    assert.match(told("Is the harbour frozen?", ["The harbour is frozen, nobody can leave."]), /^Yes\. /)
    assert.match(told("Does the harbour freeze?", ["The lakes of the harbour melt, but do not freeze."]), /^The/)
    assert.match(told("Does the policy cover theft?", ["The policy covers storms, but not theft."]), /^No\. /)
    assert.match(told("Is the harbour frozen?", ["The harbour is frozen only in March."]), /^The/)
    assert.match(told("Is the harbour open today?", ["The harbour is closed today."]), /^No\. /)
    assert.match(told("Isn't the harbour frozen?", ["The harbour is frozen."]), /^The/)
    assert.notMatch(told("Is the harbour of Oslo frozen over?", ["The harbour of Oslo is busy."]), /^(?:Yes|No)\./)
  })

  it("tells the date of a day that is named by its distance, by the calendar of whoever asks", () => {
    const written = ["2026-03-09T23:30:00Z"]
    assert.strictEqual(
      told("When do we ship?", ["We ship tomorrow."], written),
      "We ship tomorrow (10 March 2026). [1]"
    )
    assert.match(told("When do we ship?", ["We ship tomorrow."], written, "Asia/Tokyo"), /\(11 March 2026\)/)
    assert.strictEqual(
      told("What is the name of the ship?", ["The name of today's ship is Grace."], written),
      "The name of today's (9 March 2026) ship is Grace. [1]"
    )
    const long = "We ship tomorrow if the crew has been told and the harbour is free of ice."
    assert.match(told("When do we ship?", [long], written), /^10 March 2026: We ship tomorrow \(10 March 2026\) if/)
  })

  it("shows what contradicts itself with the latest first", () => {
    const texts = ["The ship leaves on 3 May.", "The ship leaves on 9 May."]
    assert.match(
      told("When does the ship leave?", texts, ["2026-01-01Z", "2026-02-01Z"]),
      /9 May\. \[1\] .*3 May\. \[2\]$/
    )
    assert.match(
      told("When does the ship leave?", texts, ["2026-02-01Z", "2026-01-01Z"]),
      /3 May\. \[1\] .*9 May\. \[2\]$/
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

  it("tells a row of a table with the heads of its columns, and code without its fences", () => {
    assert.strictEqual(
      told("Which port has the mailer?", ["| Service | Port |\n|---|---|\n| mailer | 7081 |\n| ledger | 7090 |"]),
      "7081: Service: mailer; Port: 7081 [1]"
    )
    assert.strictEqual(
      told("How do I restart the mailer?", ["To restart the mailer:\n\n```sh\nservice mailer restart\n```"]),
      "To restart the mailer: service mailer restart [1]"
    )
  })

  it("may be how many documents there are, and says what was counted", () => {
    const invoices = ["Invoice of January.", "Invoice of February.", "A letter about the invoice."]
    const answer = tell(
      "How many invoices did Acme send?",
      invoices.map((text, at) => ({
        title: at < 2 ? "Invoice by Acme" : "Letter to Acme",
        text,
        timestamp: new Date(`2026-0${at + 1}-03`)
      }))
    )
    assert.strictEqual(
      answer,
      "2 documents match \"invoices\" and \"Acme\". Invoice by Acme, 3 February 2026: Invoice of February. [1] " +
        "Invoice by Acme, 3 January 2026: Invoice of January. [2]"
    )
  })
})
