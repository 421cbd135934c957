import { assert, describe, it } from "@effect/vitest"
import { openSegment } from "../src/Segment.ts"
import { bytesOf, document } from "./support/segments.ts"

describe("postings", () => {
  it("tell how often a term stands in each chunk, up to as much as a byte holds", () => {
    const times = [1, 2, 3, 4, 5, 254, 255, 256, 1_000]
    const counted = times.map((time) => Math.min(time, 255))
    for (const copies of [1, 60]) {
      const texts = Array.from({ length: copies }, () => times.map((time) => "word ".repeat(time))).flat()
      const segment = openSegment(bytesOf([document(1, texts)]))
      const read = { chunks: new Uint16Array(texts.length), counts: new Uint8Array(texts.length) }
      assert.strictEqual(segment.readPostings(segment.terms.find("word")!, read), texts.length)
      assert.deepStrictEqual([...read.counts], Array.from({ length: copies }, () => counted).flat())
      assert.deepStrictEqual([...read.chunks], [...texts.keys()])
    }
  })
})
