import { assert, describe, it } from "@effect/vitest"
import { TermCountReader } from "../../src/segment/postings.ts"
import { openSegment } from "../../src/segment/Segment.ts"
import { bytesOf, document } from "../support/segments.ts"

describe("postings", () => {
  it("have the frequency of a term in each chunk, up to the maximum of a byte", () => {
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

  it("can be counted in any ascending ranges", () => {
    const times = Array.from({ length: 9_000 }, (_, at) => at % 7)
    const segment = openSegment(bytesOf([document(1, times.map((time) => `some ${"word ".repeat(time)}`))]))
    for (const [step, length] of [[1, 1], [700, 40], [3_000, 3_000], [9_000, 9_000]] as const) {
      const reader = new TermCountReader()
      const list = segment.terms.find("word")!
      reader.open(segment.postingBytes(list), list, times.length)
      for (let first = 0; first < times.length; first += step) {
        const wanted = times.slice(first, first + length).reduce((sum, time) => sum + time, 0)
        assert.strictEqual(reader.countIn(first, Math.min(times.length, first + length)), wanted)
      }
    }
  })
})
