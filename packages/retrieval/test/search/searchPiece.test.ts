import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { extent } from "../../../../.ci/extent.ts"
import { completeQuery } from "../../src/search/query/completeQuery.ts"
import type { ViewPart } from "../../src/segment/Mask.ts"
import { adjacentMessages, conversationAround } from "../../src/search/conversations.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { rescore } from "../../src/search/rescoring/rescore.ts"
import { rerank } from "../support/rerank.ts"
import { scoringFor } from "../../src/search/scoring.ts"
import { mergePieces, type PieceOptions, searchPiece } from "../../src/search/searchPiece.ts"
import { searchView } from "../../src/search/searchView.ts"
import { statisticsOf, sumOf } from "../../src/search/statistics.ts"
import type { Hit } from "../../src/search/TopHits.ts"
import { Collection, type Placed, TAGS, WORDS } from "../support/knowledge.ts"
import { segmentOf } from "../support/segments.ts"

const Times = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 45 }))

const Lookup = Arbitrary.all({
  words: Arbitrary.array(Arbitrary.schema(Schema.Literals([...WORDS, "\"plan of\"", "\"the launch\"", "absent"])), {
    maxLength: 5
  }),
  /** Some occur, some begin a word that occurs, some match nothing. */
  last: Arbitrary.schema(Schema.Literals(["", "pl", "budg", "launchi", "ber", "cafe", "ABC", "xylo"])),
  tags: Arbitrary.array(Arbitrary.schema(Schema.Literals(TAGS)), { maxLength: 2 }),
  from: Arbitrary.schema(Times),
  span: Arbitrary.schema(Times),
  limit: Arbitrary.schema(Schema.Literals([1, 4, 100])),
  rescoreWindow: Arbitrary.schema(Schema.Literals([1, 3, 50])),
  groupBy: Arbitrary.schema(Schema.Literals(["document", "chunk"]))
})
type Lookup = typeof Lookup extends Arbitrary.Arbitrary<infer A> ? A : never

const PARTS = 4

const partsOf = (placed: ReadonlyArray<Placed>): ReadonlyArray<ViewPart> =>
  Array.from({ length: PARTS }, (_, part) => {
    const here = placed.filter((one) => one.part === part)
    return segmentOf(here.map(({ document }) => document), here.flatMap(({ hidden }, at) => hidden ? [at] : []))
  })

const textOf = ({ last, words }: Lookup): string => [...words, last].join(" ")

const optionsOf = ({ from, groupBy, limit, rescoreWindow, span, tags }: Lookup): PieceOptions => ({
  limit: Math.max(limit, rescoreWindow),
  rescoreWindow,
  groupBy,
  allOf: tags.length === 0 ? [] : [tags],
  ...(span > 30 ? {} : { overlapping: [{ from, to: from + span }] })
})

const textsOf = ({ documentId, ordinal }: Hit): ReadonlyArray<string> =>
  (Number.parseInt(documentId.slice(-4), 16) + ordinal) % 2 === 0 ? ["of ABC-123"] : ["of others"]

/** The position of a hit in the pieces differs from that in the whole. */
const shown = (hits: ReadonlyArray<Hit>) => hits.map((hit) => ({ ...hit, part: 0 }))

const searchInPieces = (pieces: ReadonlyArray<ReadonlyArray<ViewPart>>, lookup: Lookup) => {
  const text = textOf(lookup)
  const options = optionsOf(lookup)
  const known = sumOf(pieces.map((parts) => statisticsOf(parts, parseQuery(text), text)))
  const query = completeQuery(parseQuery(text), text, known)
  const scoring = scoringFor(query, known)
  const found = mergePieces(pieces.map((parts) => searchPiece(parts, query, scoring, options)), options)
  return {
    terms: [...query.weights],
    found: shown([...found.toRescore.map(({ hit }) => hit), ...found.rest]),
    ranked: shown(rescore(query, scoring, found.toRescore, textsOf))
  }
}

const searchWhole = (parts: ReadonlyArray<ViewPart>, lookup: Lookup) => {
  const text = textOf(lookup)
  const options = optionsOf(lookup)
  const query = completeQuery(parseQuery(text), text, statisticsOf(parts, parseQuery(text), text))
  const hits = searchView(parts, query, options)
  return {
    terms: [...query.weights],
    found: shown(hits),
    ranked: shown(rerank(parts, query, hits.slice(0, options.rescoreWindow), textsOf))
  }
}

const cutsOf = (parts: ReadonlyArray<ViewPart>): ReadonlyArray<ReadonlyArray<ReadonlyArray<ViewPart>>> => [
  [parts],
  parts.map((part) => [part]),
  parts.toReversed().map((part) => [part]),
  [parts.slice(0, 2), [], parts.slice(2)]
]

describe("a search piece by piece", () => {
  it.prop("returns exactly the results of a search of the whole", [Collection, Lookup], ([placed, lookup]) => {
    const parts = partsOf(placed)
    const whole = searchWhole(parts, lookup)
    for (const pieces of cutsOf(parts)) assert.deepStrictEqual(searchInPieces(pieces, lookup), whole)
  }, { arbitrary: { runs: extent(100, 1_000), size: 60 } })

  it.prop("finds the same adjacent messages", [Collection], ([placed]) => {
    const parts = partsOf(placed)
    const hits = searchView(parts, parseQuery("plan budget the"), { limit: 3, groupBy: "document" })
    for (const hit of hits) {
      const whole = adjacentMessages(conversationAround(parts, "chat", hit, {}), hit)
      for (const pieces of cutsOf(parts)) {
        const around = pieces.flatMap((piece) => conversationAround(piece, "chat", hit, {}))
        assert.deepStrictEqual(shown(adjacentMessages(around, hit)), shown(whole))
      }
    }
  }, { arbitrary: { runs: 60, size: 60 } })
})
