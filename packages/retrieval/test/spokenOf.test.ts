import { assert, describe, it } from "@effect/vitest"
import { spokenOf } from "../src/index.ts"

describe("A question for where something is spoken of", () => {
  it.each([
    ["Where is PROJ-10 mentioned?", "PROJ-10"],
    ["In which file is the fire plan described ?", "the fire plan"],
    ["Which documents mention E-4012?", "E-4012"],
    ["what page is about parental leave", "parental leave"],
    ["Which mail refers to ada@example.com?", "ada@example.com"],
    ["Where do we talk about the price of flour?", "the price of flour"]
  ])("%j asks for %j", (question, thing) => {
    assert.strictEqual(spokenOf(question), thing)
  })

  it.each([
    "Where is the meeting?",
    "Which document is the newest?",
    "Who mentioned PROJ-10?",
    "Where do badgers live?",
    "Is PROJ-10 mentioned anywhere?",
    `Where is ${"x ".repeat(400)}mentioned?`
  ])("%j is another one", (question) => {
    assert.isNull(spokenOf(question))
  })
})
