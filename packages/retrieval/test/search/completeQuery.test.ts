import { assert, describe, it } from "@effect/vitest"
import { completeQuery } from "../../src/search/query/completeQuery.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { searchView } from "../../src/search/searchView.ts"
import { statisticsOf, sumOf } from "../../src/search/statistics.ts"
import { document, segmentOf } from "../support/segments.ts"

const part = segmentOf([
  document(1, ["The marketing budget of Berlin"]),
  document(2, ["Budgetary meetings of marketing"]),
  document(3, ["Ältere Übersichten"]),
  document(4, ["Nothing of that kind in room12"]),
  document(5, ["Der Größenvergleich", "데이터베이스를 설치했습니다"])
])

const completed = (text: string) => {
  const query = parseQuery(text)
  return completeQuery(query, text, statisticsOf([part], query, text))
}

const found = (text: string) =>
  searchView([part], completed(text), { limit: 10, groupBy: "document" })
    .map(({ version }) => version).sort()

describe("the last word of a query", () => {
  it("is completed to words with this prefix if it is no word itself", () => {
    assert.deepStrictEqual(found("budg"), [1, 2])
    assert.deepStrictEqual(found("of meetin"), [2])
    assert.deepStrictEqual(found("Übersi"), [3])
    assert.deepStrictEqual(found("Größenv"), [5])
    assert.deepStrictEqual(found("데이터베이스"), [5])
  })

  it("is not completed if it is a word, if something follows it, or if nothing starts with it", () => {
    assert.deepStrictEqual(found("budget"), [1])
    assert.deepStrictEqual(found("budg "), [])
    assert.deepStrictEqual(found("xylo"), [])
    assert.deepStrictEqual(found("budgex"), [], "another word that begins alike")
    assert.deepStrictEqual(found("room1"), [])
    assert.deepStrictEqual(found(""), [])
  })

  it("is completed to 50 words at most", () => {
    const numbered = segmentOf(Array.from({ length: 80 }, (_, at) => document(at + 1, [`zebra${at}`])))
    const query = parseQuery("zebra")
    const { weights } = completeQuery(query, "zebra", statisticsOf([numbered], query, "zebra"))
    assert.strictEqual(searchView([numbered], { ...query, weights }, { limit: 100, groupBy: "document" }).length, 50)
  })

  it("is completed if only masked documents have it as a word, in any segments", () => {
    const [deleted, shown] = [document(1, ["Gre"]), document(2, ["A green lamp"])]
    const query = parseQuery("gre")
    const completions = [
      [[segmentOf([shown])]],
      [[segmentOf([deleted, shown], [0])]],
      [[segmentOf([deleted], [0]), segmentOf([shown])]],
      [[segmentOf([deleted], [0])], [segmentOf([shown])]]
    ].map((pieces) => completeQuery(query, "gre", sumOf(pieces.map((parts) => statisticsOf(parts, query, "gre")))))
    for (const { weights } of completions) assert.deepStrictEqual([...weights.keys()], ["green"])
  })

  it("leaves the other words unchanged", () => {
    assert.deepStrictEqual(found("berlin budg"), [1, 2])
    assert.deepStrictEqual(found("budg berlin"), [1])
  })
})
