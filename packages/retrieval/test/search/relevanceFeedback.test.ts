import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { PARAMETERS } from "../../src/search/parameters.ts"
import { rescore } from "../../src/search/rescoring/rescore.ts"
import { scoringFor } from "../../src/search/scoring.ts"
import { searchPiece } from "../../src/search/searchPiece.ts"
import { statisticsOf } from "../../src/search/statistics.ts"
import type { Hit } from "../../src/search/TopHits.ts"
import type { ViewPart } from "../../src/segment/Mask.ts"
import { SegmentUnreadable } from "../../src/segment/SegmentUnreadable.ts"
import { Collection } from "../support/knowledge.ts"
import { document, segmentOf } from "../support/segments.ts"

const RANKED = 50

interface Options {
  readonly feedback?: number | undefined
  readonly groupBy?: "document" | "chunk"
  readonly exactHits?: number
}

const search = (
  parts: ReadonlyArray<ViewPart>,
  text: string,
  { feedback = PARAMETERS.feedback, groupBy = "document", exactHits = 10 }: Options = {}
): ReadonlyArray<Hit> => {
  const query = parseQuery(text)
  const scoring = scoringFor(query, statisticsOf(parts, query), {
    ...PARAMETERS,
    ...(feedback === undefined ? {} : { feedback })
  })
  const { toRescore } = searchPiece(parts, query, scoring, { limit: RANKED, rescoreWindow: RANKED, groupBy, exactHits })
  return rescore(query, scoring, toRescore, () => ["", "of ABC-123"])
}

const numbersOf = (hits: ReadonlyArray<Hit>): ReadonlyArray<number> =>
  hits.map(({ documentId }) => Number.parseInt(documentId.slice(-12), 16))

/** Four texts about one subject, one about another. */
const COFFEE = "roasting beans, espresso, grinder and crema"
const TEXTS = [
  `garage garage garage ${COFFEE}`,
  `garage garage ${COFFEE} aroma`,
  `garage garage ${COFFEE} water`,
  "garage with tyres, bolts, oil",
  `garage, ${COFFEE} mugs`,
  "nothing of it"
]
const documents = TEXTS.map((text, at) => document(at, [text]))

describe("the similarity of the best hits", () => {
  it("ranks what resembles other good hits before what does not", () => {
    const parts = [segmentOf(documents)]
    assert.deepStrictEqual(numbersOf(search(parts, "garage", { feedback: 0 })), [0, 1, 2, 3, 4])
    assert.deepStrictEqual(numbersOf(search(parts, "garage")), [0, 1, 2, 4, 3])
  })

  it("leaves the first two where they are", () => {
    const others = TEXTS.map((text, at) => at < 2 ? `garage garage other${at}` : `garage ${text} ${"talk ".repeat(at)}`)
    const parts = [segmentOf(others.map((text, at) => document(at, [text])))]
    const without = numbersOf(search(parts, "garage", { feedback: 0 }))
    assert.deepStrictEqual(numbersOf(search(parts, "garage", { feedback: 10 })).slice(0, 2), without.slice(0, 2))
  })

  it("raises a hit far below the best that resembles them", () => {
    const others = Array.from({ length: 20 }, (_, at) => `garage other${at} ${"talk ".repeat(8)}`)
    const texts = [...TEXTS.slice(0, 3), ...others, `garage, ${COFFEE} ${"more ".repeat(6)}`]
    const parts = [segmentOf(texts.map((text, at) => document(at, [text])))]
    const last = texts.length - 1
    assert.strictEqual(numbersOf(search(parts, "garage", { feedback: 0 })).at(-1), last)
    assert.isBelow(numbersOf(search(parts, "garage")).indexOf(last), 10)
  })

  it.each(["garage ABC-123", "\"garage garage\"", "garage"])(
    "changes nothing for a name, a phrase or passages",
    (text) => {
      const parts = [segmentOf(documents)]
      const options = { groupBy: text === "garage" ? "chunk" : "document" } as const
      assert.deepStrictEqual(search(parts, text, options), search(parts, text, { ...options, feedback: 0 }))
    }
  )

  it("does not count the words of the query", () => {
    const alike = [
      "garage yard yard",
      "garage yard",
      "garage yard oil",
      "yard with bolts and more",
      "garage of tyres, too"
    ]
    const parts = [segmentOf(alike.map((text, at) => document(at, [text])))]
    const scores = (feedback?: number) => search(parts, "garage yard", { feedback }).slice(3).map(({ score }) => score)
    assert.deepStrictEqual(scores(), scores(0))
  })

  it("is the same after a search that could not read a segment", () => {
    const parts = [segmentOf(documents)]
    const before = search(parts, "garage")
    for (const reads of [1, 2, 3, 5, 8]) {
      const { mask, segment } = segmentOf(documents.map((one) => ({ ...one, chunks: one.chunks.toReversed() })))
      let left = reads
      const read = segment.wordBytes.bind(segment)
      segment.wordBytes = (range) => {
        if (left-- === 0) throw new SegmentUnreadable("damaged")
        return read(range)
      }
      assert.throws(() => search([{ mask, segment }], "garage"), SegmentUnreadable)
      assert.deepStrictEqual(search(parts, "garage"), before)
    }
  })

  it.prop("does not depend on the segments", [
    Collection,
    Arbitrary.schema(Schema.Literals(["budget", "plan launch", "the berlin grace", "会议 café"])),
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })))
  ], ([placed, text, exactHits]) => {
    const shown = placed.filter(({ hidden }) => !hidden)
    const partsBy = (partOf: (part: number) => number) =>
      [0, 1, 2, 3].map((part) =>
        segmentOf(shown.filter((one) => partOf(one.part) === part).map(({ document }) => document))
      )
    const found = (parts: ReadonlyArray<ViewPart>) =>
      search(parts, text, { exactHits }).slice(0, exactHits).map(({ documentId, ordinal, score }) => ({
        documentId,
        ordinal,
        score
      }))
    const whole = found(partsBy(() => 0))
    assert.deepStrictEqual(found(partsBy((part) => part)), whole)
    assert.deepStrictEqual(found(partsBy((part) => part % 2)), whole)
  }, { arbitrary: { runs: extent(100, 1_000), size: 60 } })
})
