import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { rerank } from "../support/rerank.ts"
import { searchView } from "../../src/search/searchView.ts"
import type { Hit } from "../../src/search/TopHits.ts"
import { Collection, WORDS } from "../support/knowledge.ts"
import { bytesOf, document, segmentOf } from "../support/segments.ts"
import { workOf } from "../support/work.ts"

const Query = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals([...WORDS, "plans", "absent", "\"the launch\""])), {
    minLength: 1,
    maxLength: 6
  }),
  (words) => words.join(" ")
)

const Settled = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })))

const textsOf = ({ ordinal }: Hit): ReadonlyArray<string> => ordinal % 2 === 0 ? ["of ABC-123"] : ["of others"]

describe("rescoring until the first hits are exact", () => {
  it.prop("returns the same first hits, with the same scores", [Collection, Query, Settled], (
    [placed, text, exactHits]
  ) => {
    const parts = [0, 1].map((part) => {
      const here = placed.filter((one) => one.part % 2 === part)
      return segmentOf(here.map(({ document }) => document), here.flatMap(({ hidden }, at) => hidden ? [at] : []))
    })
    const query = parseQuery(text)
    for (const groupBy of ["chunk", "document"] as const) {
      const hits = searchView(parts, query, { limit: 50, groupBy })
      const all = rerank(parts, query, hits, textsOf)
      const some = rerank(parts, query, hits, textsOf, exactHits)
      assert.deepStrictEqual(some.slice(0, exactHits), all.slice(0, exactHits))
    }
  }, { arbitrary: { runs: extent(100, 1_000), size: 60 } })

  it("keeps the reference score of the others, even if it is not among them", () => {
    const parts = [segmentOf([
      document(1, ["talk talk talk", "talk budget budget budget talk budget"]),
      document(2, [
        "launch talk launch",
        "launch talk talk talk talk budget talk",
        "launch launch",
        "talk launch talk"
      ]),
      document(3, [
        "talk",
        "launch launch talk talk talk launch launch launch",
        "launch launch launch talk",
        "budget launch"
      ])
    ])]
    const query = parseQuery("budget launch")
    const hits = searchView(parts, query, { limit: 50, groupBy: "document" })
    assert.deepStrictEqual(rerank(parts, query, hits, () => [], 1)[0], rerank(parts, query, hits, () => [])[0])
  })

  it("reads only hits that can still be among them", () => {
    // The longer a document, the less its words count: what is far behind cannot come to the front by being near.
    const texts = Array.from({ length: 50 }, (_, at) => `budget launch ${"talk ".repeat(at * 40)}`)
    const bytes = bytesOf(texts.map((text, at) => document(at, [text])))
    const { words: all } = workOf(bytes, "budget launch")
    const { words: first } = workOf(bytes, "budget launch", 3)
    assert.isAbove(first, 0)
    assert.isBelow(first, all / 10)
    assert.strictEqual(workOf(bytes, "\"budget launch\"", 3).words, all)
  })
})
