/** Words with capitals, which differ from the same words in small letters. */
import { assert, describe, it } from "@effect/vitest"
import { isCapitalized } from "../../../src/text/names/capitalized.ts"
import { document, search, segmentOf } from "../../support/segments.ts"

/** Texts that repeat a word in small letters, and one that has it once as given. */
const texts = (word: string) => {
  const small = Array.from({ length: 60 }, (_, at) => document(at + 1, [`${word} and ${word} again`.toLowerCase()]))
  const target = document(99, [`Among much else that is said here, there is ${word} just once, for the record.`])
  return { parts: [segmentOf([...small, target])], target }
}

const firstOf = ({ parts }: ReturnType<typeof texts>, query: string) => search(parts, query)[0]?.documentId

const SHA = "\u0421\u0428\u0410"

describe("a word with capitals", () => {
  it("is in capitals, in any script that has them, or begins with one within a sentence", () => {
    const isWhole = (word: string): boolean => isCapitalized(word, 0, word.length)
    assert.deepStrictEqual(["IT", "NULL", SHA, "\u00c9TAT"].map(isWhole), [true, true, true, true])
    const others = ["I", "It", "iT", "API2", "42", SHA.toLowerCase(), "\u6771\u4eac"]
    assert.deepStrictEqual(others.filter(isWhole), [])
    const within = (text: string): boolean => isCapitalized(text, text.indexOf("Go"), text.indexOf("Go") + 2)
    assert.deepStrictEqual(["in Go", "first, Go", "\u00e9t\u00e9 Go", "a 2nd Go"].map(within), Array(4).fill(true))
    for (const text of ["Go", "end. Go", "end? Go", "- Go", "\"Go", "line\nGo", "title:  Go"]) {
      assert.isFalse(within(text), text)
    }
  })

  it("in a query ranks a text that has it so before those that repeat it in small letters", () => {
    for (const word of ["PATH", "IT", "NULL", SHA]) {
      assert.strictEqual(firstOf(texts(word), word), texts(word).target.id)
    }
    for (const word of ["PATH", "IT", "NULL", SHA, "Go", "Apple", "Gr\u00fcn"]) {
      const all = texts(word)
      assert.strictEqual(firstOf(all, `what about ${word}?`), all.target.id, word)
    }
  })

  it("in a title or a heading is one, too, although it is the first word", () => {
    const small = Array.from({ length: 60 }, (_, at) => document(at + 1, ["these holidays and those holidays"]))
    const titled = document(99, ["Of what the office does in the last week of the year, and who is there then."], {
      title: "Holidays"
    })
    const headed = document(98, ["# Holidays\nThe office is closed in the last week of the year, and nobody is there."])
    const other = document(97, ["It is said that one of the many Bank Holidays is in the last week of the year, too."])
    const found = search([segmentOf([...small, titled, headed, other])], "when are the Holidays?", { limit: 3 })
    assert.sameMembers(found.map(({ documentId }) => documentId), [titled.id, headed.id, other.id])
  })

  it("counts no more in a query without capitals, or where every word has one", () => {
    const all = texts("PATH")
    for (const query of ["path", "THE PATH IS", "The Path Is", "Path"]) {
      assert.notStrictEqual(firstOf(all, query), all.target.id, query)
    }
  })

  it("counts no more if texts always have it so", () => {
    const scores = ["API", "api"].map((api) => {
      const text = (at: number) => document(at, [`There is an ${api} that answers, and the ${api} is documented.`])
      return search([segmentOf([text(1), text(2), document(3, ["Nothing of it."])])], "the API and its answers")
        .map(({ score }) => score)
    })
    assert.deepStrictEqual(scores[0], scores[1])
  })

  it("is in German only one in capitals, because all nouns begin with one", () => {
    const german = (rest: string) => `Das ist die Sache mit dem Haus, und sie ist nicht so, wie wir es wollten: ${rest}`
    const sizeOf = (rest: string) => segmentOf([document(1, [german(rest)])]).segment.terms.size
    assert.strictEqual(sizeOf("die Nase"), sizeOf("die nase"))
    assert.strictEqual(sizeOf("die NASE"), sizeOf("die nase") + 1)
  })
})
