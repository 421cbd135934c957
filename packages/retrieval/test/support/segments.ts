/** Small segments and searches over them. */
import { Mask, type ViewPart } from "../../src/segment/Mask.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { type SearchOptions, searchView } from "../../src/search/searchView.ts"
import { openSegment } from "../../src/segment/Segment.ts"
import type { SegmentSource } from "../../src/segment/SegmentSource.ts"
import { type IndexDocument, SegmentBuilder } from "../../src/segment/SegmentBuilder.ts"

export const idOf = (number: number): string => `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

export const document = (
  number: number,
  chunks: ReadonlyArray<string>,
  rest: Partial<IndexDocument> = {}
): IndexDocument => ({
  id: idOf(number),
  version: number,
  title: "",
  chunks,
  tags: [],
  from: number * 1_000,
  to: number * 1_000,
  ...rest
})

export const bytesOf = (documents: ReadonlyArray<IndexDocument>): Uint8Array => {
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  return builder.build()
}

export const segmentOf = (documents: ReadonlyArray<IndexDocument>, hidden: Iterable<number> = []): ViewPart => {
  const segment = openSegment(bytesOf(documents))
  return { segment, mask: new Mask(segment, hidden) }
}

/** What a segment reads of its bytes, and how much of them it has read. */
export const sourceOf = (bytes: Uint8Array) => {
  const source = {
    byteLength: bytes.length,
    fetched: 0,
    isThere: true,
    read: (into: Uint8Array, from: number): boolean => {
      source.fetched += into.length
      into.set(bytes.subarray(from, from + into.length))
      return source.isThere && from + into.length <= bytes.length
    }
  }
  return source satisfies SegmentSource
}

export const search = (parts: ReadonlyArray<ViewPart>, query: string, options: Partial<SearchOptions> = {}) =>
  searchView(parts, parseQuery(query), { limit: 10, groupBy: "document", ...options })
