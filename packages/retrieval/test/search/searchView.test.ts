import { assert, describe, it } from "@effect/vitest"
import { countDocuments, somePass } from "../../src/search/filter.ts"
import { Mask, type ViewPart } from "../../src/segment/Mask.ts"
import type { SearchOptions } from "../../src/search/searchView.ts"
import type { Hit } from "../../src/search/TopHits.ts"
import { Collection, type Placed, plainSearch, QueryText, TAGS } from "../support/knowledge.ts"
import { document, idOf, search, segmentOf } from "../support/segments.ts"

/** The documents over this many segments, those that are hidden among them. */
const spread = (placed: ReadonlyArray<Placed>, over: number): ReadonlyArray<ViewPart> =>
  Array.from({ length: over }, (_, part) => {
    const here = placed.filter((one) => one.part % over === part)
    return segmentOf(
      here.map(({ document }) => document),
      here.flatMap(({ hidden }, number) => hidden ? [number] : [])
    )
  })

const shown = (hits: ReadonlyArray<Hit>) =>
  hits.map(({ documentId, ordinal, score }) => ({ documentId, ordinal, score }))

const all: Partial<SearchOptions> = { limit: 1_000 }
const options = { arbitrary: { runs: 70, size: 60 } }

describe("a search", () => {
  it("finds nothing in an empty view", () => {
    assert.deepStrictEqual(search([], "plan"), [])
    assert.deepStrictEqual(search([segmentOf([])], "plan"), [])
    assert.deepStrictEqual(search([segmentOf([document(1, [""])])], "plan"), [])
    assert.deepStrictEqual(search([segmentOf([document(1, ["a plan"])])], ""), [])
  })

  it.prop(
    "has the scores and the order of a plain search over every chunk",
    [Collection, QueryText],
    ([placed, query]) => {
      const asked = query.replaceAll("ABC-123", "abc").replaceAll("2026", "plan")
      const visible = placed.map((one) => ({ ...one, hidden: false }))
      const wanted = plainSearch(placed.map(({ document }) => document), asked)
      const found = shown(search(spread(visible, 3), asked, { ...all, groupBy: "chunk" }))
      assert.strictEqual(found.length, wanted.length)
      const close = new Map(wanted.map((hit) => [`${hit.documentId} ${hit.ordinal}`, hit.score]))
      for (const { documentId, ordinal, score } of found) {
        assert.approximately(
          close.get(`${documentId} ${ordinal}`)!,
          score,
          1e-8
        )
      }
      found.forEach(({ score }, at) => assert.approximately(score, wanted[at]!.score, 1e-8))
    },
    options
  )

  it.prop(
    "is independent of the distribution of documents over segments",
    [Collection, QueryText],
    ([placed, query]) => {
      for (const groupBy of ["chunk", "document"] as const) {
        const whole = shown(search(spread(placed, 1), query, { ...all, groupBy }))
        for (const over of [2, 3, 4]) {
          assert.deepStrictEqual(
            shown(search(spread(placed, over), query, { ...all, groupBy })),
            whole
          )
        }
      }
    },
    options
  )

  it.prop("returns the first hits if it is limited", [Collection, QueryText], ([placed, query]) => {
    const parts = spread(placed, 2)
    for (const groupBy of ["chunk", "document"] as const) {
      const whole = search(parts, query, { ...all, groupBy })
      for (const limit of [0, 1, 2, 5]) {
        assert.deepStrictEqual(search(parts, query, { limit, groupBy }), whole.slice(0, limit))
      }
    }
  }, options)

  it.prop("returns each document once with its best chunk", [Collection, QueryText], ([placed, query]) => {
    const parts = spread(placed, 2)
    const seen = new Set<string>()
    const best = search(parts, query, { ...all, groupBy: "chunk" }).filter(({ documentId }) =>
      !seen.has(documentId) && seen.add(documentId)
    )
    assert.deepStrictEqual(search(parts, query, all), best)
  }, options)

  it.prop("returns every match that is not masked", [Collection, QueryText], ([placed, query]) => {
    const hidden = new Set(placed.filter((one) => one.hidden).map(({ document }) => document.id))
    const everything = search(spread(placed.map((one) => ({ ...one, hidden: false })), 2), query, {
      ...all,
      groupBy: "chunk"
    })
    const left = search(spread(placed, 2), query, { ...all, groupBy: "chunk" })
    const names = (hits: ReadonlyArray<Hit>) => hits.map(({ documentId, ordinal }) => `${documentId} ${ordinal}`).sort()
    assert.deepStrictEqual(names(left), names(everything.filter(({ documentId }) => !hidden.has(documentId))))
    assert.isTrue(left.every(({ score }) => Number.isFinite(score) && score > 0))
    assert.strictEqual(countDocuments(spread(placed, 3), {}), placed.length - hidden.size)
  }, options)

  it("returns nothing if everything is masked", () => {
    const part = segmentOf([document(1, ["a plan"]), document(2, ["the plan"])], [0, 1])
    assert.deepStrictEqual(search([part], "plan"), [])
    const other = segmentOf([document(3, ["another plan"])])
    assert.deepStrictEqual(search([part, other], "plan").map(({ documentId }) => documentId), [idOf(3)])
  })

  it("breaks ties by document and position, in any segment", () => {
    const one = segmentOf([document(3, ["plan", "plan"]), document(1, ["plan", "plan"])])
    const two = segmentOf([document(2, ["plan", "plan"])])
    for (const parts of [[one, two], [two, one]]) {
      const hits = search(parts, "plan", { groupBy: "chunk", limit: 4 })
      assert.deepStrictEqual(hits.map(({ documentId, ordinal }) => [documentId, ordinal]), [
        [idOf(1), 0],
        [idOf(1), 1],
        [idOf(2), 0],
        [idOf(2), 1]
      ])
      assert.deepStrictEqual(search(parts, "plan").map(({ documentId, ordinal }) => [documentId, ordinal]), [
        [idOf(1), 0],
        [idOf(2), 0],
        [idOf(3), 0]
      ])
    }
  })

  it("returns the version, the position and the time of each hit", () => {
    const part = segmentOf([document(7, ["nothing", "a plan"], { version: 2 ** 40, from: -5, to: 10 })])
    assert.deepInclude(search([part], "plan")[0], {
      documentId: idOf(7),
      version: 2 ** 40,
      ordinal: 1,
      from: -5,
      to: 10,
      part: 0,
      chunk: 1
    })
  })

  it("lets a later part win a tie for the last place", () => {
    const others = [4, 5, 6, 7].map((number) => document(number, ["other", "words"]))
    const parts = [segmentOf([document(3, ["plan"])]), segmentOf([...others, document(1, ["more", "plan"])])]
    for (const groupBy of ["chunk", "document"] as const) {
      for (const order of [parts, parts.toReversed()]) {
        assert.deepStrictEqual(search(order, "plan", { groupBy, limit: 1 }).map(({ documentId }) => documentId), [
          idOf(1)
        ])
      }
    }
  })

  it("does not count masked documents that contain none of its words in the scores", () => {
    const documents = [document(1, ["a plan"]), document(2, ["the plan of many more words"])]
    const hidden = document(3, ["much ado about nothing ".repeat(50), "nothing"])
    const scores = (parts: ReadonlyArray<ViewPart>) => search(parts, "ado plan").map(({ score }) => score)
    assert.deepStrictEqual(
      search([segmentOf([...documents, hidden], [2])], "plan").map(({ score }) => score),
      search([segmentOf(documents)], "plan").map(({ score }) => score)
    )
    assert.strictEqual(scores([segmentOf([...documents, hidden], [2])]).length, 2)
  })

  it("leaves no state for the next one, even if it fails", () => {
    const documents = [document(1, ["a plan"]), document(2, ["a launch"])]
    const [part, broken] = [segmentOf(documents), segmentOf(documents)]
    const before = search([part], "launch")
    Object.defineProperty(broken.segment, "firstChunks", {
      get: () => {
        throw new Error("broken")
      }
    })
    assert.throws(() => search([broken], "plan launch"), "broken")
    assert.deepStrictEqual(search([part], "launch"), before)
  })
})

describe("a filter", () => {
  const matches = (
    { document }: Placed,
    { allOf = [], outside, overlapping = [] }: Partial<SearchOptions>
  ) => {
    const overlaps = ({ from, to }: { readonly from: number; readonly to: number }) =>
      from < to && document.from < to && (document.to > from || document.from >= from)
    return allOf.every((group) => group.some((tag) => document.tags.includes(tag))) && overlapping.every(overlaps) &&
      (outside === undefined || !overlaps(outside))
  }

  const FILTERS: ReadonlyArray<Partial<SearchOptions>> = [
    ...TAGS.map((tag) => ({ allOf: [[tag]] })),
    { allOf: [["mail", "chat"], ["file"]] },
    { allOf: [TAGS] },
    { allOf: [["mail"], TAGS] },
    { allOf: [["mail", "no such tag"]] },
    { allOf: [["no such tag"]] },
    { allOf: [[]] },
    { overlapping: [{ from: 10, to: Infinity }] },
    { overlapping: [{ from: -Infinity, to: 10 }] },
    { overlapping: [{ from: 10, to: 20 }] },
    { overlapping: [{ from: 10, to: 10 }] },
    { overlapping: [{ from: 25, to: Infinity }] },
    { overlapping: [{ from: 0, to: 12 }, { from: 14, to: 30 }] },
    { outside: { from: 10, to: 20 } },
    { outside: { from: 0, to: 25 } },
    { outside: { from: 0, to: 1_000 } },
    { allOf: [["mail"]], overlapping: [{ from: 5, to: 30 }], outside: { from: 10, to: 12 } }
  ]

  it.prop(
    "returns exactly the allowed documents, with any limit",
    [Collection, QueryText],
    ([placed, query]) => {
      const parts = spread(placed, 3)
      const visible = placed.filter(({ hidden }) => !hidden)
      const whole = search(parts, query, all)
      for (const filter of FILTERS) {
        const passing = new Set(visible.filter((one) => matches(one, filter)).map(({ document }) => document.id))
        const wanted = shown(whole.filter(({ documentId }) => passing.has(documentId)))
        for (const limit of [1, 3, 1_000]) {
          assert.deepStrictEqual(
            shown(search(parts, query, { ...filter, limit })),
            wanted.slice(0, limit)
          )
        }
        assert.strictEqual(countDocuments(parts, filter), passing.size)
        assert.strictEqual(somePass(parts, filter), passing.size > 0)
      }
    },
    { arbitrary: { runs: 50, size: 60 } }
  )

  it("allows the last document of a segment if it begins with the time and lasts no time", () => {
    const part = segmentOf([5, 10].map((at) => document(at, ["plan"], { from: at, to: at })))
    for (const [from, passing] of [[5, 2], [10, 1], [11, 0]] as const) {
      const filter = { overlapping: [{ from, to: Infinity }] }
      assert.strictEqual(countDocuments([part], filter), passing)
      assert.strictEqual(search([part], "plan", filter).length, passing)
    }
  })

  it("finds labels with invalid UTF-8 and beyond the basic plane", () => {
    const tags = ["\ud800", "\uffff", "😀", "z", "\ud800x"]
    const part = segmentOf(tags.map((tag, at) => document(at, ["plan"], { tags: [tag] })))
    for (const tag of tags) assert.isAtLeast(countDocuments([part], { allOf: [[tag]] }), 1, JSON.stringify(tag))
    assert.strictEqual(countDocuments([part], { allOf: [["😀"]] }), 1)
  })
})

describe("a mask", () => {
  it("counts masked documents once", () => {
    const { segment } = segmentOf([document(1, ["one two", "three"]), document(2, ["four"])])
    const mask = new Mask(segment)
    assert.isTrue(mask.hide(0))
    assert.isFalse(mask.hide(0))
    assert.deepStrictEqual([mask.hiddenDocuments, mask.hiddenChunks, mask.hiddenLength], [1, 2, 3])
    const copy = mask.copy()
    copy.hide(1)
    assert.deepStrictEqual([...copy.documents()], [0, 1])
    assert.deepStrictEqual([...mask.documents()], [0])
    assert.isTrue(copy.hides(1) && !mask.hides(1))
  })
})
