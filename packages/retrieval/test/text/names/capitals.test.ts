/** Words in capitals, which differ from the same words in small letters. */
import { assert, describe, it } from "@effect/vitest"
import { isInCapitals } from "../../../src/text/names/capitals.ts"
import { document, search, segmentOf } from "../../support/segments.ts"

const isWhole = (word: string): boolean => isInCapitals(word, 0, word.length)

/** Texts that repeat a word in small letters, and one that has it once in capitals. */
const texts = (word: string, many = 60) => {
  const small = Array.from({ length: many }, (_, at) => document(at + 1, [`${word} and ${word} again`.toLowerCase()]))
  const target = document(99, [`Among much else that is said here, ${word} is once in capitals, for the record.`])
  return { parts: [segmentOf([...small, target])], target }
}

const firstOf = ({ parts }: ReturnType<typeof texts>, query: string) => search(parts, query)[0]?.documentId

describe("a word in capitals", () => {
  it("has two letters or more, in any script with capitals, and nothing else", () => {
    assert.deepStrictEqual(["IT", "NULL", "\u0421\u0428\u0410", "\u00c9TAT"].map(isWhole), [true, true, true, true])
    const others = ["I", "It", "iT", "API2", "APIs", "\u0441\u0448\u0430", "\u0421\u0448\u0430", "\u6771\u4eac", "42"]
    assert.deepStrictEqual(others.filter(isWhole), [])
  })

  it("in a query ranks a text that has it so before those that repeat it in small letters", () => {
    for (const word of ["PATH", "IT", "NULL", "\u0421\u0428\u0410"]) {
      const all = texts(word)
      for (const query of [word, `what about ${word}?`]) assert.strictEqual(firstOf(all, query), all.target.id, query)
    }
  })

  it("counts no more in a query that is in capitals as a whole, or in small letters", () => {
    const all = texts("PATH")
    assert.notStrictEqual(firstOf(all, "path"), all.target.id)
    assert.notStrictEqual(firstOf(all, "THE PATH IS"), all.target.id)
  })

  it("counts no more if texts always have it in capitals", () => {
    const text = (at: number, api: string) => document(at, [`The ${api} answers, and the ${api} is documented.`])
    const scores = ["API", "api"].map((api) =>
      search([segmentOf([text(1, api), text(2, api), document(3, ["Nothing of it."])])], "the API and its answers")
        .map(({ score }) => score)
    )
    assert.deepStrictEqual(scores[0], scores[1])
  })
})
