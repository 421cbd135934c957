import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Mask, type ViewPart } from "../../src/segment/Mask.ts"
import { LONG, WINDOW } from "../../src/segment/postings.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { type SearchOptions, searchView } from "../../src/search/searchView.ts"
import { openSegment } from "../../src/segment/Segment.ts"
import { SegmentBuilder } from "../../src/segment/SegmentBuilder.ts"
import { exhaustiveSearch } from "../support/exhaustive.ts"
import { Collection, QueryText, TAGS } from "../support/knowledge.ts"
import { idOf, segmentOf } from "../support/segments.ts"

const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Frequent words and rare ones, names among them, unevenly often; the frequent ones are in nearly every chunk. */
const wordAt = (random: () => number): string => {
  const rank = Math.floor(400 * random() ** 4)
  return rank % 9 === 5
    ? `KEY-${rank}`
    : `w${"abcdefghij"[rank % 10]}${"klmnopqrst"[Math.floor(rank / 10) % 10]}${rank > 99 ? "z" : ""}`
}

const textOf = (random: () => number): string =>
  Array.from({ length: 1 + Math.floor(12 * random() ** 2) }, () => wordAt(random)).join(" ")

const DOCUMENTS = 2_000

/** Some chunks more than two windows, in documents of a few chunks and in one that goes over a window; one in seven hidden. */
const partOf = (seed: number): ViewPart => {
  const random = randomFrom(seed)
  const builder = new SegmentBuilder()
  for (let number = 0; number < DOCUMENTS; number++) {
    const chunks = number === 701 ? 5_000 : 1 + Math.floor(4 * random())
    const from = Math.floor(random() * 1_000)
    builder.add({
      id: idOf((number * 7_919) % 10_007 + seed * 20_000),
      version: number,
      title: number % 5 === 0 ? textOf(random) : "",
      chunks: Array.from({ length: chunks }, () => textOf(random)),
      tags: TAGS.filter(() => random() < 0.3),
      from,
      to: from + (number % 3)
    })
  }
  const segment = openSegment(builder.build())
  return { segment, mask: new Mask(segment, Array.from({ length: DOCUMENTS / 7 }, (_, at) => at * 7)) }
}

const Seed = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 })))

const FILTERS = [{}, {}, { allOf: [["mail"]] }, { allOf: [["mail", "chat"], ["file"]] }, {
  overlapping: [{ from: 300, to: 320 }]
}, {
  outside: { from: 100, to: 800 }
}]

describe("a search that skips documents that cannot be among the best", () => {
  const parts = [partOf(1), partOf(2)]

  it("is tested on lists over several windows", () => {
    const [{ segment }] = parts as [ViewPart]
    assert.isAbove(segment.chunkCount, 2 * WINDOW)
    assert.isAbove(segment.terms.find("wak")!.count, LONG)
  })

  it.prop("returns exactly the results of scoring everything", [Seed], ([seed]) => {
    const random = randomFrom(seed)
    const query = parseQuery(Array.from({ length: 1 + Math.floor(random() * 7) }, () => wordAt(random)).join(" "))
    const filter = FILTERS[Math.floor(random() * FILTERS.length)]!
    const limit = [1, 3, 10, 50, 300][Math.floor(random() * 5)]!
    const groupBy = random() < 0.5 ? "chunk" : "document"
    const options: SearchOptions = { ...filter, limit, groupBy }
    assert.deepStrictEqual(searchView(parts, query, options), exhaustiveSearch(parts, query, options))
  }, { arbitrary: { runs: 40 } })

  it.prop("also does so on small collections", [Collection, QueryText], ([placed, text]) => {
    const query = parseQuery(text)
    const small = [0, 1].map((part) => {
      const here = placed.filter((one) => one.part % 2 === part)
      return segmentOf(here.map(({ document }) => document), here.flatMap(({ hidden }, at) => hidden ? [at] : []))
    })
    for (const groupBy of ["chunk", "document"] as const) {
      for (const limit of [1, 4, 100]) {
        const options = { limit, groupBy, allOf: placed.length % 2 === 0 ? [] : [["mail", "chat"]] }
        assert.deepStrictEqual(searchView(small, query, options), exhaustiveSearch(small, query, options))
      }
    }
  }, { arbitrary: { runs: 60, size: 60 } })
})
