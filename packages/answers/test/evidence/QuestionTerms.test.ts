import { assert, describe, it } from "vitest"
import { likeness } from "../../src/evidence/nearForms.ts"
import { QuestionTerms } from "../../src/evidence/QuestionTerms.ts"

const terms = (query: string, known: Readonly<Record<string, number>>) =>
  new QuestionTerms(query, { idf: new Map(Object.entries(known)), passageCount: 100 })

describe("how alike two terms are", () => {
  it("is most for the same, less for forms and slips, least for parts of compounds", () => {
    assert.strictEqual(likeness("harbour", "harbour"), 1)
    assert.strictEqual(likeness("organis", "organiz"), 0.7)
    assert.strictEqual(likeness("harbour", "harbuor"), 0.7)
    assert.strictEqual(likeness("thread", "multithread"), 0.5)
    assert.strictEqual(likeness("versicherung", "haftpflichtversicherung"), 0.5)
  })

  it("is none for short ones and for others", () => {
    for (const [one, other] of [["cat", "cats"], ["port", "harbour"], ["", "a"], ["summer", "winter"]] as const) {
      assert.strictEqual(likeness(one, other), 0, `${one} ${other}`)
    }
  })

  it("does not depend on their order", () => {
    for (const [one, other] of [["thread", "multithread"], ["harbuor", "harbour"], ["a", "abcdef"]] as const) {
      assert.strictEqual(likeness(one, other), likeness(other, one))
    }
  })
})

describe("the words of a question", () => {
  it("count by how rare they are, and most when the context has them nowhere", () => {
    const question = terms("harbour master", { harbour: 1, master: 3 })
    const [common, rare] = ["The harbour is old.", "The master is old."].map((text) =>
      question.coverage(question.read(text).matches)
    )
    assert.isBelow(common!, rare!)
    assert.closeTo(common! + rare!, 1, 1e-9)
    assert.strictEqual(question.absent, 0)
    assert.isAbove(terms("harbour zebra", { harbour: 3 }).absent, 0.5)
  })

  it("tell nearly the same of few passages, where nobody can know how rare they are", () => {
    const question = new QuestionTerms("harbour master", {
      idf: new Map([["harbour", 0.18], ["master", 0.69]]),
      passageCount: 2
    })
    assert.closeTo(question.coverage(question.read("The harbour.").matches), 0.5, 0.1)
  })

  it("may have numbers, which are covered or missing", () => {
    const question = terms("version 15 of 2024", { version: 1, "15": 1, "2024": 1 })
    assert.strictEqual(question.missingNumbers(question.read("Version 15 came in 2024.").matches), 0)
    assert.strictEqual(question.missingNumbers(question.read("Version 14 came in 2024.").matches), 0.5)
    assert.strictEqual(terms("version", { version: 1 }).missingNumbers(question.none()), 0)
  })

  it("are near each other when a stretch of few words holds them", () => {
    const question = terms("harbour master", { harbour: 1, master: 1 })
    const far = question.read(`The harbour ${"is very old and ".repeat(5)} has a master.`)
    assert.strictEqual(question.coverage(far.matches), 1)
    assert.strictEqual(question.proximity(far, 12), 0.5)
    assert.strictEqual(question.proximity(question.read("The master of the harbour."), 12), 1)
  })

  it("are read in scripts without spaces, too", () => {
    const question = terms("東京タワーの高さ", { 東京: 1, タワー: 1, 高: 1 })
    assert.isAbove(question.coverage(question.read("東京タワーの高さは333メートルです。").matches), 0.5)
  })
})
