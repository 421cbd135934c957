import { assert, describe, it } from "@effect/vitest"
import { parseQuery } from "../../src/search/query/Query.ts"
import { rerank } from "../support/rerank.ts"
import { document, idOf, search, segmentOf } from "../support/segments.ts"

const ranked = (query: string, texts: ReadonlyArray<string>, titles: ReadonlyArray<string> = []) => {
  const part = segmentOf(texts.map((text, at) => document(at, [text], { title: titles[at] ?? "" })))
  const hits = search([part], query, { groupBy: "chunk", limit: 50 })
  return rerank([part], parseQuery(query), hits, ({ chunk }) => [titles[chunk] ?? "", texts[chunk]!])
}

const order = (...args: Parameters<typeof ranked>) => ranked(...args).map(({ chunk }) => chunk)

const far =
  "budget was the word that opened a long and winding talk about things that nobody there knew before the launch"

describe("rescoring by the text", () => {
  it("ranks adjacent words before distant ones", () => {
    const near =
      "opened a long and winding talk about things that nobody there knew was the word before the budget launch that"
    assert.deepStrictEqual(order("budget launch", [far, near]), [1, 0])
    assert.deepStrictEqual(order("budget launch", [near, far]), [0, 1])
  })

  it("prefers the order of the query", () => {
    assert.deepStrictEqual(order("budget launch", ["the launch budget of it", "the budget launch of it"]), [1, 0])
  })

  it("ranks a quoted phrase first, however good the rest is", () => {
    const dense = "launch budget launch budget the plan of the plan, launch budget plan"
    const quoting = `A word on many other things that take up room and time and more of both, ${
      "also this ".repeat(20)
    } budget of the launch.`
    for (const query of ["\"budget of the launch\" plan", "\u201cbudget of the launch\u201d plan"]) {
      assert.deepStrictEqual(order(query, [dense, dense, quoting]), [2, 0, 1])
    }
  })

  it("ranks a phrase first even if only the phrase of a long query matches", () => {
    const dense = "alpha beta gamma delta, alpha beta gamma delta, plan"
    const quoting = `${"Something else is said here at some length. ".repeat(10)} The plan of it.`
    const texts = [dense, quoting, ...Array.from({ length: 20 }, () => "a plan of the others")]
    assert.strictEqual(order("\"the plan of it\" alpha beta gamma delta", texts)[0], 1)
  })

  it("ignores a phrase across title and text", () => {
    const [first] = order("\"budget launch\"", ["launch and more", "a budget launch of some more words than there"], [
      "The budget",
      "Other"
    ])
    assert.strictEqual(first, 1)
  })

  it("ranks an identifier before mere proximity", () => {
    const texts = [
      "login timeout failure login timeout failure login timeout failure",
      "Filed as ABC-123 by somebody, with much ado about nothing"
    ]
    assert.strictEqual(order("ABC-123 login timeout failure", texts)[0], 1)
  })

  it("treats an identifier that many documents contain like any other word", () => {
    const about = "The login times out: a login timeout failure after an upgrade"
    const naming = Array.from({ length: 4 }, (_, at) => `Release ${at} runs on ABC-123, with much ado about nothing`)
    const question = "login timeout failure on ABC-123"
    assert.strictEqual(order(question, [about, ...naming.slice(0, 3)]).at(-1), 0)
    assert.strictEqual(order(question, [about, ...naming])[0], 0)
    assert.strictEqual(order("ABC-123", [about, "ABC and 123, ABC and 123", ...naming]).at(-1), 1)
  })

  it("counts the documents with an identifier, not their passages, and no deleted ones", () => {
    const about = document(1, ["The login times out: a login timeout failure after an upgrade"])
    const naming = document(
      2,
      Array.from({ length: 6 }, () => "Release notes that name ABC-123 among many other things")
    )
    const deleted = Array.from({ length: 6 }, (_, at) => document(10 + at, ["This one named ABC-123"]))
    const part = segmentOf([about, naming, ...deleted], [2, 3, 4, 5, 6, 7])
    const [first] = search([part], "login timeout failure on ABC-123", { limit: 50 })
    assert.strictEqual(first?.documentId, idOf(2))
  })

  it("treats a literal name that many documents contain like any other word", () => {
    const about = "The login times out: a login timeout failure after an upgrade"
    const naming = Array.from({ length: 4 }, (_, at) => `Release ${at} calls getUserName, with much ado about nothing`)
    assert.strictEqual(order("login timeout failure of getUserName", [about, ...naming.slice(0, 3)]).at(-1), 0)
    assert.strictEqual(order("login timeout failure of getUserName", [about, ...naming])[0], 0)
  })

  it("ranks a document about the query throughout before one with a single equally good chunk", () => {
    const chunk = "The budget was settled in the morning by everybody who was there at that time"
    const other = "They had soup for lunch, and went home in the evening by train as they always do"
    const parts = [segmentOf([document(1, [other, chunk, other]), document(2, [chunk, chunk, other])])]
    const hits = search(parts, "budget", { limit: 50 })
    assert.deepStrictEqual(rerank(parts, parseQuery("budget"), hits, () => []).map(({ documentId }) => documentId), [
      idOf(2),
      idOf(1)
    ])
  })

  it("lowers no score", () => {
    const parts = [segmentOf([document(1, [far, far]), document(2, ["budget launch"]), document(3, ["the budget"])])]
    const hits = search(parts, "budget launch ABC-123", { limit: 50 })
    for (const { documentId, score } of rerank(parts, parseQuery("budget launch ABC-123"), hits, () => [])) {
      assert.isAtLeast(score, hits.find((hit) => hit.documentId === documentId)!.score)
    }
  })

  it("keeps the order of ties, and every hit", () => {
    const hits = ranked("plan", ["a plan", "a plan", "a plan"])
    assert.deepStrictEqual(hits.map(({ documentId }) => documentId), [idOf(0), idOf(1), idOf(2)])
    assert.deepStrictEqual(order("plan", []), [])
  })

  it("reads texts only if the query contains an exact name", () => {
    const part = segmentOf([document(1, ["the budget launch of ABC-123"]), document(2, ["a launch"])])
    const textsAsked = (text: string) => {
      const asked: Array<string> = []
      rerank([part], parseQuery(text), search([part], text), ({ documentId }) => {
        asked.push(documentId)
        return []
      })
      return asked.length
    }
    assert.strictEqual(textsAsked("\"budget launch\" of the budget"), 0)
    assert.strictEqual(textsAsked("launch of ABC-123"), 2)
  })

  it("uses word positions of every chunk, in any segment and document", () => {
    const filler = Array.from({ length: 300 }, (_, at) => document(at + 10, [`budget of item${at}x`, "the launch"]))
    const parts = [
      segmentOf([...filler, document(1, ["nothing", far, "launch budget then"]), document(2, ["launch at budget"])]),
      segmentOf([document(3, ["not this one", "budget launch"])])
    ]
    const hits = search(parts, "\"budget launch\"", { limit: 300 })
    const [first, second] = rerank(parts, parseQuery("\"budget launch\""), hits, () => [])
    assert.deepStrictEqual([first?.documentId, first?.ordinal], [idOf(3), 1])
    assert.isAbove(first!.score, 2 * second!.score)
  })

  it("is not slowed down by repetitions in a text or a query", () => {
    const texts = Array.from({ length: 50 }, () => "plan ".repeat(120))
    assert.strictEqual(order(`"plan plan" ${"plan budget ".repeat(500)}`, texts).length, 50)
  })
})
