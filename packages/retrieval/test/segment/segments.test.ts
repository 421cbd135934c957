import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { ANALYZER_VERSION, FORMAT_VERSION } from "../../src/segment/format.ts"
import { Mask } from "../../src/segment/Mask.ts"
import { mergeSegments } from "../../src/segment/mergeSegments.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { rerank } from "../support/rerank.ts"
import { openSegment, type Segment, termsWithPrefix } from "../../src/segment/Segment.ts"
import { MAX_SEGMENT_CHUNKS, SegmentBuilder } from "../../src/segment/SegmentBuilder.ts"
import { SegmentUnreadable } from "../../src/segment/SegmentUnreadable.ts"
import { visitWords } from "../../src/text/words.ts"
import { Collection } from "../support/knowledge.ts"
import { bytesOf, document, idOf, search, segmentOf, sourceOf } from "../support/segments.ts"
import { Text } from "../support/texts.ts"

const BYTES = bytesOf([
  document(2, ["The budget of Berlin", "ABC-123 again"], { title: "Plans", tags: ["mail"] }),
  document(1, ["Launch"], { tags: ["chat", "mail"] })
])

/** Some hundred thousand bytes. */
const LARGE = bytesOf(
  Array.from(
    { length: 2_000 },
    (_, at) =>
      document((at * 7) % 2_003, [`rare${at}x and word${at % 50} of all`, "common words"], { tags: [`tag${at % 40}`] })
  )
)

const partOf = (segment: Segment) => ({ segment, mask: new Mask(segment) })

/** Everything that can be asked of a segment. */
const USES: ReadonlyArray<(segment: Segment) => unknown> = [
  (segment) => search([partOf(segment)], "rare77x word3"),
  (segment) =>
    search([partOf(segment)], "common", {
      allOf: [["tag7"]],
      overlapping: [{ from: 3_000, to: Infinity }],
      groupBy: "chunk"
    }),
  (segment) => [segment.find(idOf(700)), segment.find(idOf(5_000))],
  (segment) => termsWithPrefix(segment, "rare1", 100),
  (segment) => mergeSegments([partOf(segment)]),
  (segment) => {
    const query = parseQuery("\"rare77x and\" common words")
    return rerank([partOf(segment)], query, search([partOf(segment)], "rare77x and common words"), () => [])
  }
]

/** Of bytes in memory, and of such as are read when they are needed. */
const OPENED: ReadonlyArray<(bytes: Uint8Array) => Segment> = [
  openSegment,
  (bytes) => openSegment(sourceOf(bytes))
]

const everythingIn = (bytes: Uint8Array) => USES.map((use) => use(openSegment(bytes)))
const RESULTS = everythingIn(LARGE)

const readable = <A>(read: () => A): A | "unreadable" => {
  try {
    return read()
  } catch (error) {
    assert.instanceOf(error, SegmentUnreadable)
    return "unreadable"
  }
}

const Place = Arbitrary.schema(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999_999 })))
const Flip = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 255 })))

/** Why not everything can be read of these bytes, in either way. */
const reasonOf = (bytes: Uint8Array): string => {
  const [reason, ...others] = OPENED.map((open) => {
    try {
      for (const use of USES) use(open(bytes))
      return "readable"
    } catch (error) {
      assert.instanceOf(error, SegmentUnreadable)
      return error.reason
    }
  })
  for (const other of others) assert.strictEqual(other, reason)
  return reason!
}

describe("a segment", () => {
  it.prop("finds every indexed word", [Text, Text], ([title, text]) => {
    const part = segmentOf([document(1, ["nothing here"]), document(2, [text], { title })])
    visitWords(`${title}\n${text}`, (start, end) => {
      const word = `${title}\n${text}`.slice(start, end)
      if (!/^(?:nothing|here|s)$/i.test(word)) {
        assert.isTrue(search([part], word).some(({ documentId }) => documentId === idOf(2)), word)
      }
    })
  }, { arbitrary: { runs: 100, size: 40 } })

  it("lists its content", () => {
    const segment = openSegment(BYTES)
    assert.deepStrictEqual([...segment.documents()], [{ number: 0, id: idOf(2), version: 2 }, {
      number: 1,
      id: idOf(1),
      version: 1
    }])
    assert.deepStrictEqual(segment.find(idOf(1)), { number: 1, id: idOf(1), version: 1 })
    assert.isUndefined(segment.find(idOf(3)))
    assert.deepStrictEqual([segment.earliest, segment.latest, segment.chunkCount, segment.byteLength], [
      1_000,
      2_000,
      3,
      BYTES.length
    ])
  })

  it("may be empty", () => {
    const segment = openSegment(bytesOf([]))
    assert.deepStrictEqual([segment.documentCount, segment.chunkCount, segment.totalLength], [0, 0, 0])
    assert.deepStrictEqual([segment.earliest, segment.latest], [Infinity, -Infinity])
    assert.isUndefined(segment.find(idOf(1)))
  })

  it.prop("finds each of its documents by id", [Collection], ([placed]) => {
    const segment = openSegment(bytesOf(placed.map(({ document }) => document)))
    placed.forEach(({ document }, number) => {
      assert.deepStrictEqual(segment.find(document.id), { number, id: document.id, version: document.version })
    })
  }, { arbitrary: { runs: 50, size: 60 } })

  it("can be read from unaligned bytes", () => {
    const shifted = new Uint8Array(BYTES.length + 3)
    shifted.set(BYTES, 3)
    assert.strictEqual(openSegment(shifted.subarray(3)).documentCount, 2)
  })

  it("can be read from byte arrays that share their memory, and does not change them", () => {
    const bytes = BYTES.slice()
    bytes.slice = (start, end) => bytes.subarray(start, end)
    assert.strictEqual(openSegment(bytes).documentCount, 2)
    assert.deepStrictEqual(new Uint8Array(bytes), BYTES)
  })

  it("accepts no more chunks than its numbers can represent", () => {
    const builder = new SegmentBuilder()
    builder.add(document(1, Array.from({ length: MAX_SEGMENT_CHUNKS - 1 }, () => "word")))
    assert.throws(() => builder.add(document(2, ["one", "two"])), RangeError)
    builder.add(document(3, ["last"]))
    assert.strictEqual(builder.chunkCount, MAX_SEGMENT_CHUNKS)
    const segment = openSegment(builder.build())
    const part = { segment, mask: new Mask(segment) }
    assert.strictEqual(search([part], "last")[0]?.chunk, MAX_SEGMENT_CHUNKS - 1)
    assert.strictEqual(search([part], "word").length, 1)
    assert.throws(() => mergeSegments([part, segmentOf([document(4, ["more"])])]), RangeError)
  })

  it("accepts no more documents than its numbers can represent, with or without text", () => {
    const builder = new SegmentBuilder()
    for (let at = 0; at < MAX_SEGMENT_CHUNKS; at++) builder.add(document(at, []))
    assert.throws(() => builder.add(document(MAX_SEGMENT_CHUNKS, [])), RangeError)
  })

  it("accepts only UUIDs as ids", () => {
    for (const id of ["", "x", idOf(1).toUpperCase().replace("0", "G"), `${idOf(1)}0`]) {
      assert.throws(() => bytesOf([{ ...document(1, ["word"]), id }]), RangeError)
    }
  })
})

describe("the bytes of a segment", () => {
  it.prop("are the same for the same documents", [Collection], ([placed]) => {
    const documents = placed.map(({ document }) => document)
    assert.deepStrictEqual(bytesOf(documents), bytesOf(structuredClone(documents)))
  }, { arbitrary: { runs: 30, size: 60 } })

  it("are unreadable if any of them changed, at the latest when that one is read", () => {
    const wanted = everythingIn(BYTES)
    for (let at = 0; at < BYTES.length; at++) {
      for (const flip of [1, 0x80, 0xff]) {
        const damaged = BYTES.slice()
        damaged[at]! ^= flip
        assert.notStrictEqual(reasonOf(damaged), "readable", `byte ${at}`)
      }
    }
    assert.strictEqual(reasonOf(BYTES), "readable")
    assert.deepStrictEqual(everythingIn(BYTES), wanted)
  })

  it.prop("return the same results or none if one of many changed", [Place, Flip], ([place, flip]) => {
    const damaged = LARGE.slice()
    const at = Math.floor(place * LARGE.length)
    damaged[at]! ^= flip
    for (const open of OPENED) {
      for (const [index, use] of USES.entries()) {
        const found = readable(() => use(open(damaged)))
        if (found !== "unreadable") assert.deepStrictEqual(found, RESULTS[index], `byte ${at}`)
      }
      assert.strictEqual(readable(() => USES.map((use) => use(open(damaged)))), "unreadable")
    }
  }, { arbitrary: { runs: 40 } })

  it("are not read completely on opening, and damage affects only its readers", () => {
    const damaged = LARGE.slice()
    // The body begins with the terms.
    damaged[1_000]! ^= 1
    const segment = openSegment(damaged)
    assert.strictEqual(segment.find(idOf(700))?.number, 100)
    assert.strictEqual(readable(() => search([partOf(segment)], "common")), "unreadable")
  })

  it("are unreadable if any part is missing or something was added", () => {
    for (let length = 0; length < BYTES.length; length++) {
      assert.strictEqual(reasonOf(BYTES.slice(0, length)), "damaged")
    }
    assert.strictEqual(reasonOf(Uint8Array.of(...BYTES, 0, 0, 0, 0, 0, 0, 0, 0)), "damaged")
  })

  it("are unreadable if two ranges are swapped", () => {
    const damaged = BYTES.slice()
    damaged.set(BYTES.subarray(112, 120), 120)
    damaged.set(BYTES.subarray(120, 128), 112)
    assert.strictEqual(reasonOf(damaged), "damaged")
  })

  it.prop("are not arbitrary bytes", [Schema.Uint8Array], ([bytes]) => {
    assert.strictEqual(reasonOf(bytes), "damaged")
    const begun = BYTES.slice()
    begun.set(bytes.subarray(0, begun.length - 64), 64)
    if (begun.some((byte, at) => byte !== BYTES[at])) assert.strictEqual(reasonOf(begun), "damaged")
  }, { arbitrary: { runs: 200, size: 200 } })

  it("report another format version", () => {
    for (const [at, version] of [FORMAT_VERSION, ANALYZER_VERSION].entries()) {
      const word = at + 1
      const newer = BYTES.slice()
      new DataView(newer.buffer).setUint32(word * 4, version + 1, true)
      assert.strictEqual(reasonOf(newer), "newer")
      const older = BYTES.slice()
      new DataView(older.buffer).setUint32(word * 4, 0, true)
      assert.strictEqual(reasonOf(older), "older")
    }
  })
})

describe("a segment that is read on demand", () => {
  it("returns the same, whatever the first request is", () => {
    for (const [first, use] of USES.entries()) {
      const segment = openSegment(sourceOf(LARGE))
      assert.deepStrictEqual(use(segment), RESULTS[first])
      assert.deepStrictEqual(USES.map((use) => use(segment)), RESULTS)
    }
  })

  it("reads its head when it is opened, the pages of its answers after that, and nothing twice", () => {
    const rare = (at: number) => Array.from({ length: 100 }, (_, word) => `rare${at * 100 + word}x`).join(" ")
    const bytes = bytesOf(Array.from({ length: 400 }, (_, at) => document(at, [rare(at)])))
    const source = sourceOf(bytes)
    const segment = openSegment(source)
    assert.isBelow(source.fetched, bytes.length / 100)
    const find = () => search([partOf(segment)], "rare7777x")
    const found = find()
    assert.strictEqual(found[0]?.documentId, idOf(77))
    const { fetched } = source
    assert.isBelow(fetched, bytes.length / 2)
    assert.deepStrictEqual(find(), found)
    assert.strictEqual(source.fetched, fetched)
    search([partOf(segment)], "rare1x rare20000x rare30000x")
    segment.check(0, bytes.length)
    assert.strictEqual(source.fetched, bytes.length)
    assert.deepStrictEqual(segment.bytes, bytes)
  })

  it("is unreadable where its bytes are missing, reports only those, and keeps what it has read", () => {
    const source = sourceOf(LARGE)
    const segment = openSegment(source)
    const found = search([partOf(segment)], "rare77x")
    source.isThere = false
    assert.deepStrictEqual(search([partOf(segment)], "rare77x"), found)
    for (const lost of [() => segment.check(0, LARGE.length), () => openSegment(source)]) {
      let thrown: unknown
      try {
        lost()
      } catch (error) {
        thrown = error
      }
      assert.instanceOf(thrown, SegmentUnreadable)
      assert.deepStrictEqual([thrown.reason, thrown.isFetched], ["damaged", true])
    }
  })

  it("is unreadable where its bytes changed since it was opened, and reports that they were fetched", () => {
    const bytes = LARGE.slice()
    const segment = openSegment(sourceOf(bytes))
    bytes.fill(0, 10_000)
    try {
      segment.check(0, bytes.length)
      assert.fail("it was readable")
    } catch (error) {
      assert.instanceOf(error, SegmentUnreadable)
      assert.isTrue(error.isFetched)
    }
  })
})

describe("terms with a prefix", () => {
  const { segment } = segmentOf([document(1, ["plan plane planet played café cafés 会议", "Plant ABC-1"])])
  it("are in order, up to a limit", () => {
    assert.deepStrictEqual(termsWithPrefix(segment, "plan", 10), ["plan", "plane", "planet", "plant"])
    assert.deepStrictEqual(termsWithPrefix(segment, "plan", 2), ["plan", "plane"])
    assert.deepStrictEqual(termsWithPrefix(segment, "会", 2), ["会议"])
    assert.deepStrictEqual(termsWithPrefix(segment, "planets", 2), [])
    assert.deepStrictEqual(termsWithPrefix(segment, "plan", 0), [])
  })

  it("are complete, for any prefix", () => {
    const words = Array.from({ length: 500 }, (_, at) => `w${at.toString(2)}`)
    const { segment } = segmentOf([document(1, [words.join(" ")])])
    const sorted = words.toSorted()
    for (const prefix of ["", "w1", "w10", "w111", "w1111", "w111110011"]) {
      assert.deepStrictEqual(termsWithPrefix(segment, prefix, 1_000), sorted.filter((word) => word.startsWith(prefix)))
    }
  })
})

describe("merging", () => {
  it.prop("equals, byte for byte, a new segment of the remaining documents", [Collection], ([placed]) => {
    const parts = [0, 1, 2, 3].map((part) => placed.filter((one) => one.part === part))
    const merged = mergeSegments(
      parts.map((part) =>
        segmentOf(part.map(({ document }) => document), part.flatMap(({ hidden }, number) => hidden ? [number] : []))
      )
    )
    const left = parts.flat().filter(({ hidden }) => !hidden).map(({ document }) => document)
    assert.deepStrictEqual(merged, bytesOf(left))
  }, { arbitrary: { runs: 70, size: 60 } })

  it("of nothing returns an empty segment", () => {
    assert.deepStrictEqual(mergeSegments([]), bytesOf([]))
    assert.deepStrictEqual(mergeSegments([segmentOf([document(1, ["word"])], [0])]), bytesOf([]))
  })
})
