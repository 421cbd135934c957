/** What a search makes a segment do, in numbers that no load of the machine changes. */
import { Mask } from "../../src/segment/Mask.ts"
import { parseQuery } from "../../src/search/query/Query.ts"
import { rerank } from "./rerank.ts"
import { searchView } from "../../src/search/searchView.ts"
import { Segment } from "../../src/segment/Segment.ts"
import type { ByteRange } from "../../src/segment/terms/TermDictionary.ts"

class CountingSegment extends Segment {
  /** Terms that were looked for, lists of postings that were opened, and bytes of words in their order. */
  readonly work = { lookups: 0, lists: 0, words: 0 }

  constructor(bytes: Uint8Array) {
    super(bytes)
    const find = this.terms.find.bind(this.terms)
    this.terms.find = (term) => {
      this.work.lookups++
      return find(term)
    }
  }

  override postingBytes(stretch: ByteRange): Uint8Array {
    this.work.lists++
    return super.postingBytes(stretch)
  }

  override wordBytes(stretch: ByteRange): Uint8Array {
    this.work.words += stretch.end - stretch.start
    return super.wordBytes(stretch)
  }
}

/** Of finding the best fifty and ranking them again, until this many are exact. */
export const workOf = (bytes: Uint8Array, text: string, exactHits?: number) => {
  const segment = new CountingSegment(bytes)
  const parts = [{ segment, mask: new Mask(segment) }]
  const query = parseQuery(text)
  const hits = searchView(parts, query, { limit: 50, groupBy: "document" })
  rerank(parts, query, hits, () => [], exactHits)
  return segment.work
}
