import { assert, describe, it } from "@effect/vitest"
import { SegmentBuilder } from "../../src/segment/SegmentBuilder.ts"
import { segmentDraft } from "../../src/segment/segmentDraft.ts"

/** UTF-16 code units of text in a document. */
const LENGTH = 600_000

const documents = Array.from({ length: 10 }, (_, number) => ({
  id: `019a0000-0000-7000-8000-${String(number).padStart(12, "0")}`,
  version: number + 1,
  title: `title ${number}`,
  chunks: [`word${number} and others `.repeat(LENGTH / 20).slice(0, LENGTH)],
  tags: ["source:custom"],
  from: number,
  to: number
}))

describe("a segment that is built incrementally", () => {
  it("is byte for byte the same as one of all documents at once", () => {
    const whole = new SegmentBuilder()
    for (const document of documents) whole.add(document)
    const draft = segmentDraft()
    draft.add(documents.slice(0, 1))
    draft.add(documents.slice(1))
    assert.deepStrictEqual(draft.finish(), whole.build())
  })
})
