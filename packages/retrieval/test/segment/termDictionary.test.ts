import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { EncodedString } from "../../src/segment/terms/TermDictionary.ts"
import { openSegment } from "../../src/segment/Segment.ts"
import { sortStrings } from "../../src/segment/bytes/stringOrder.ts"
import { bytesOf, document } from "../support/segments.ts"

/** Of few characters, so that many begin alike, and some are the beginning of others; zeros pad what the index keeps. */
const Name = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", "\0", "ü", "aaaaaaaa", "bbbbbbbbbbbbbbbb"])), {
    maxLength: 5
  }),
  (pieces) => pieces.join("")
)
const Names = Arbitrary.array(Name, { maxLength: 80 })

/** A document for each tag, and one that has them all. */
const tagsOf = (tags: ReadonlyArray<string>) =>
  openSegment(bytesOf([document(0, [], { tags }), ...tags.map((tag, at) => document(at + 1, [], { tags: [tag] }))]))

describe("the term dictionary of a segment", () => {
  it.prop("finds all its terms, and no others", [Names, Names], ([tags, others]) => {
    const distinct = [...new Set(tags)]
    const segment = tagsOf(distinct)
    distinct.forEach((tag, at) => {
      const entry = segment.tags.find(tag)
      assert.deepStrictEqual(entry === null ? null : [...segment.tagged(entry)], [0, at + 1], JSON.stringify(tag))
    })
    for (const other of others) assert.strictEqual(segment.tags.find(other) !== null, tags.includes(other))
  })

  it.prop("lists them in order, each with its index and data", [Names], ([tags]) => {
    const segment = tagsOf([...new Set(tags)])
    const entries = [...segment.tags.entries()]
    assert.deepStrictEqual(entries.map(({ string }) => string), sortStrings(new Set(tags)))
    entries.forEach(({ string, ...entry }, place) => {
      assert.deepStrictEqual(segment.tags.find(string), entry)
      assert.deepStrictEqual([entry.place, entry.count], [place, 2])
    })
  })

  it.prop("reads each back by its index, and finds it in another dictionary", [Names, Names], ([tags, others]) => {
    const [segment, other] = [tagsOf([...new Set(tags)]), tagsOf([...new Set(others)])]
    const string = new EncodedString()
    for (const { count, place, string: written } of segment.tags.entries()) {
      assert.strictEqual(string.read(segment.tags, place), count)
      assert.strictEqual(other.tags.countOf(string), other.tags.find(written)?.count ?? 0)
    }
  })

  it("finds terms where the first one of a block continues with a zero", () => {
    const before = Array.from({ length: 15 }, (_, at) => `A${at}`)
    const segment = tagsOf([...before, "a", "a\0"])
    assert.deepStrictEqual(["a", "a\0", "a\0\0"].map((tag) => segment.tags.find(tag)?.place), [15, 16, undefined])
  })

  it("stores data of any length", () => {
    const sizes = [1, 14, 15, 16, 142, 143, 144, 300]
    const segment = openSegment(
      bytesOf(
        Array.from({ length: 300 }, (_, at) =>
          document(at, [], {
            tags: sizes.filter((size) => at < size).map((size) => `of ${size}`)
          }))
      )
    )
    for (const size of sizes) {
      const entry = segment.tags.find(`of ${size}`)!
      assert.deepStrictEqual([entry.count, [...segment.tagged(entry)].length], [size, size])
    }
  })
})
