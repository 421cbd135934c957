/** The fusion of two rankings, and the bytes of vectors. */
import { assert, describe, it } from "@effect/vitest"
import { byRank, type Hit } from "@tributary/retrieval"
import { Schema } from "effect"
import { fuse, SEMANTIC_DEPTH } from "../../src/search/fuse.ts"
import { queryVector, rowFor, Vectors, writeVectors } from "../../src/search/Vectors.ts"

const Document = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
const Score = Schema.Int.check(Schema.isBetween({ minimum: -4, maximum: 20 }))
const HitSpec = Schema.Struct({
  document: Document,
  ordinal: Schema.Literals([0, 1]),
  score: Score,
  exact: Schema.Boolean
})

const hitOf = ({ document, exact, ordinal, score }: typeof HitSpec.Type, scale: number): Hit => ({
  part: 0,
  chunk: document * 2 + ordinal,
  documentId: String(document).padStart(3, "0"),
  version: 1,
  ordinal,
  score: score * scale,
  identifier: exact,
  from: 0,
  to: 0
})

/** A ranking as searches give it: best first, and of each document one hit. */
const ranking = (found: ReadonlyArray<typeof HitSpec.Type>, scale: number): ReadonlyArray<Hit> => {
  const hits = found.map((one) => hitOf(one, scale)).sort(byRank)
  return hits.filter((hit, at) => hits.findIndex(({ documentId }) => documentId === hit.documentId) === at)
}

const rankings = (words: ReadonlyArray<typeof HitSpec.Type>, near: ReadonlyArray<typeof HitSpec.Type>) => ({
  lexical: ranking(
    words.map(({ exact, score, ...found }) => ({ ...found, exact, score: Math.abs(score) + (exact ? 100 : 0) })),
    1
  ),
  semantic: ranking(near.map((found) => ({ ...found, exact: false })), 1 / 20),
  ranked: 10,
  groupBy: "document" as const
})

const List = Schema.Array(HitSpec)

describe("a fusion of keyword and vector scores", () => {
  it.prop("starts with all exact names, in the order of their keyword scores", [List, List], ([words, near]) => {
    const both = rankings(words, near)
    const exact = both.lexical.filter(({ identifier }) => identifier).map(({ documentId }) => documentId)
    assert.deepStrictEqual(fuse(both).slice(0, exact.length).map(({ documentId }) => documentId), exact)
  })

  it.prop("contains everything that either found, once, with descending scores", [List, List], ([words, near]) => {
    const both = rankings(words, near)
    const fused = fuse(both)
    assert.deepStrictEqual(
      fused.map(({ documentId }) => documentId).sort(),
      [...new Set([...both.lexical, ...both.semantic].map(({ documentId }) => documentId))].sort()
    )
    for (const [at, { score }] of fused.entries()) assert.isAtMost(score, fused[at - 1]?.score ?? Infinity)
  })

  it.prop(
    "ranks documents that are better by both before those that are worse by both",
    [List, List],
    ([words, near]) => {
      const both = rankings(words.map((found) => ({ ...found, exact: false })), near)
      const places = new Map(fuse({ ...both, ranked: 100 }).map(({ documentId }, place) => [documentId, place]))
      const [first] = both.lexical
      if (first !== undefined && both.semantic[0]?.documentId === first.documentId) {
        assert.strictEqual(places.get(first.documentId), 0)
      }
    }
  )

  it("does not depend on the number of other keyword hits", () => {
    const words = Array.from(
      { length: 60 },
      (_, n) => ({ document: n, ordinal: 0 as const, score: 60 - n, exact: false })
    )
    const near = Array.from(
      { length: SEMANTIC_DEPTH },
      (_, n) => ({ document: 100 - n, ordinal: 0 as const, score: n, exact: false })
    )
    const both = { ...rankings(words, near), ranked: 10 }
    const few = fuse({ ...both, lexical: both.lexical.slice(0, 10) }).map(({ documentId }) => documentId)
    assert.deepStrictEqual(fuse(both).slice(0, few.length).map(({ documentId }) => documentId), few)
  })

  const full = (count: number, score: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => ({ document: n, ordinal: 0 as const, score: score(n), exact: false }))
  const idsOf = (hits: ReadonlyArray<Hit>) => hits.map(({ documentId }) => documentId)

  it("follows the ranking in which a document is far above the others", () => {
    const [even, peaked] = [
      (n: number) => n === 0 ? 1_001 : 1_000 + n % 2,
      (n: number) => n === 1 ? 2_000 : 1_000 + n % 2
    ]
    const apartInWords = { ...rankings(full(40, peaked), full(40, even)), ranked: 50 }
    const apartInMeaning = { ...rankings(full(40, even), full(40, peaked)), ranked: 50 }
    assert.deepStrictEqual([apartInWords, apartInMeaning].map((both) => idsOf(fuse(both))[0]), ["001", "001"])
  })

  it("puts the only document with a rare word before the nearest without it", () => {
    const near = full(SEMANTIC_DEPTH, (n) => SEMANTIC_DEPTH - n)
    const both = rankings([{ document: 90, ordinal: 0, score: 1, exact: false }], near)
    assert.strictEqual(idsOf(fuse(both))[0], "090")
  })

  it("gives equal similarities half a share, however their mean is rounded", () => {
    const both = { ...rankings(full(3, (n) => n), []), ranked: 50 }
    const near = (score: number) => ranking(full(3, () => score), 1)
    assert.deepStrictEqual(fuse({ ...both, semantic: near(0.1) }), fuse({ ...both, semantic: near(0.125) }))
  })

  it.prop(
    "does not depend on the scale and the origin of similarities",
    [List, List, Schema.Literals([1, 4]), Schema.Literals([0, 8])],
    ([words, near, scale, origin]) => {
      const both = { ...rankings(words, near), ranked: 100 }
      const moved = both.semantic.map((hit) => ({ ...hit, score: hit.score * scale + origin }))
      const [here, there] = [fuse(both), fuse({ ...both, semantic: moved })]
      for (const { documentId, score } of there) {
        assert.closeTo(score, here.find((hit) => hit.documentId === documentId)!.score, 1e-9)
      }
    }
  )
})

const Numbers = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: -1_000, maximum: 1_000 })))
  .check(Schema.isMinLength(7), Schema.isMaxLength(7))

const cosine = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number => {
  const dot = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) =>
    one.reduce((sum, value, at) => sum + value * other[at]!, 0)
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right))
}

const written = (vectors: ReadonlyArray<ReadonlyArray<number>>): Uint8Array =>
  writeVectors(
    vectors.length + 1,
    new Map(vectors.map((vector, at) => [at, { hash: String(at).padStart(32, "0"), values: rowFor(vector) }]))
  )

describe("kept vectors", () => {
  it.prop("keep their similarity to a hundredth", [Numbers, Numbers], ([left, right]) => {
    if ([left, right].some((vector) => vector.every((value) => value === 0))) return
    const near: Array<readonly [number, number]> = []
    new Vectors(written([left])).scan(queryVector(right), { first: 0, end: 2, isWanted: () => true }, (row, found) => {
      near.push([row, found])
    })
    assert.deepStrictEqual(near.map(([row]) => row), [0])
    assert.closeTo(near[0]![1], cosine(left, right), 0.01)
  })

  it("record their model, and which are missing", () => {
    const vectors = new Vectors(written([[1, 2], [3, 4]]))
    assert.deepStrictEqual([0, 1, 2].map((row) => vectors.has(row)), [true, true, false])
    assert.strictEqual(vectors.hashOf(1), "1".padStart(32, "0"))
    assert.deepStrictEqual([...vectors.rowOf(1)], [95, 127])
  })

  it("are not read if a byte is changed or missing", () => {
    const bytes = written([[1, 2, 3], [4, 5, 6]])
    for (let at = 0; at < bytes.length; at++) {
      // The bytes between head and checksum are arbitrary.
      if (at >= 12 && at < 16) continue
      const broken = bytes.slice()
      broken[at]! ^= 1
      assert.throws(() => new Vectors(broken), /segment is/)
    }
    assert.throws(() => new Vectors(bytes.subarray(0, -1)), /damaged/)
    assert.throws(() => new Vectors(new Uint8Array()), /damaged/)
  })
})
