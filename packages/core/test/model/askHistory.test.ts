import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AskRequest } from "../../src/model/Ask.ts"
import { type Exchange, historyOf } from "../../src/model/AskHistory.ts"

const exchange = (query: string, response: string, model = "llama"): Exchange => ({
  query,
  answer: { response, model }
})

const numbered = (count: number, response = (index: number) => `answer ${index}`) =>
  Array.from({ length: count }, (_, index) => exchange(`question ${index}`, response(index)))

const isAccepted = Schema.is(AskRequest)

const textsOf = (exchanges: ReadonlyArray<Exchange>) => {
  const history = historyOf(exchanges)
  assert.isTrue(isAccepted({ query: "And then?", history }))
  return history.map(({ text }) => text)
}

describe("The history of an ask", () => {
  it("has what was quoted because the language model failed, which may read it next time", () => {
    const failed = { ...exchange("first", "Quoted.", "extractive") }
    assert.deepStrictEqual(historyOf([failed]), [])
    const warnings = ["model: llama did not answer, so the documents are quoted as they are"]
    assert.deepStrictEqual(textsOf([{ ...failed, answer: { ...failed.answer, warnings } }]), ["first", "Quoted."])
  })

  it("has the last ten turns, as whole questions with answers, oldest first", () => {
    const history = historyOf(numbered(20))
    assert.lengthOf(history, 10)
    assert.deepStrictEqual(history.slice(0, 2), [
      { role: "user", text: "question 15" },
      { role: "assistant", text: "answer 15" }
    ])
    assert.deepStrictEqual(history.at(-1), { role: "assistant", text: "answer 19" })
  })

  it("leaves out the oldest beyond 8,000 characters, in code points", () => {
    const long = exchange("long", "😀".repeat(7_950))
    assert.deepStrictEqual(textsOf([...numbered(20), long]).slice(0, -2), [
      "question 18",
      "answer 18",
      "question 19",
      "answer 19"
    ])
    assert.lengthOf(textsOf([...numbered(20), exchange("long", "😀".repeat(7_996))]), 2)
  })

  it("cuts the latest answer if it does not fit by itself, so that a follow-up is never without what it follows", () => {
    const [question, answer] = textsOf([...numbered(3), exchange("q".repeat(2_000), "😀".repeat(9_000))])
    assert.strictEqual(question, "q".repeat(2_000))
    assert.strictEqual(answer, "😀".repeat(6_000))
  })

  it("has no turn without text", () => {
    assert.deepStrictEqual(textsOf([exchange("one", "two"), exchange("three", "")]), ["one", "two"])
  })

  it("is empty before a language model has answered, and has what was quoted between two of its answers", () => {
    const quoted = exchange("second", "quoted", "extractive")
    assert.deepStrictEqual(textsOf([quoted, quoted]), [])
    assert.deepStrictEqual(textsOf([exchange("first", "written"), quoted]), ["first", "written", "second", "quoted"])
  })
})
