/**
 * BM25 of whole documents, for those that a search found by a chunk.
 *
 * A chunk shows how closely one place is about the query, its document how much the whole is; the two together rank
 * better than either.
 */
import type { ViewPart } from "./Mask.ts"
import { TimesReader } from "./postings.ts"
import type { Scoring } from "./scoring.ts"
import { MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"
import type { Hit } from "./TopHits.ts"

// Hits are looked at to the last without a pause, so all share these; they grow as they must.
const reader = new TimesReader()
let order = new Float64Array(1 << 6)
let lengths = new Float64Array(1 << 6)
let times = new Uint32Array(1 << 9)

/** How often each term of a query stands in the document of each hit; good until those of other hits are counted. */
export class DocumentTimes {
  readonly #scoring: Scoring

  constructor(parts: ReadonlyArray<ViewPart>, scoring: Scoring, hits: ReadonlyArray<Hit>) {
    this.#scoring = scoring
    makeRoom(hits.length, scoring.terms.length)
    // Where a hit stands is one number, and which of the hits it is what that leaves over.
    const count = hits.length
    for (let at = 0; at < count; at++) {
      const { chunk, part } = hits[at]!
      order[at] = (part * MAX_SEGMENT_CHUNKS + chunk) * count + at
    }
    order.subarray(0, count).sort()
    for (let at = 0; at < count; at++) order[at]! %= count
    for (let from = 0; from < count;) {
      const { part } = hits[order[from]!]!
      let to = from
      while (to < count && hits[order[to]!]!.part === part) to++
      this.#count(parts[part]!, hits, from, to)
      from = to
    }
  }

  /** Whether a term, by its place in `scoring`, stands in the document of a hit. */
  stands(hit: number, term: number): boolean {
    return times[hit * this.#scoring.terms.length + term]! > 0
  }

  score(hit: number): number {
    const { documentNorm, terms } = this.#scoring
    const below = documentNorm(lengths[hit]!)
    let score = 0
    for (let term = 0; term < terms.length; term++) {
      const count = times[hit * terms.length + term]!
      score += (terms[term]!.weight * count) / (count + below)
    }
    return score
  }

  /** The hits that `order` names from `from` to `to` are of one part, and their chunks rise. */
  #count({ segment }: ViewPart, hits: ReadonlyArray<Hit>, from: number, to: number): void {
    const { chunkDocuments, firstChunks } = segment
    const { terms } = this.#scoring
    for (let at = from; at < to; at++) {
      const hit = order[at]!
      lengths[hit] = segment.lengthOf(chunkDocuments[hits[hit]!.chunk]!)
    }
    for (let term = 0; term < terms.length; term++) {
      const stretch = segment.terms.find(terms[term]!.term)
      if (stretch === null) continue
      reader.open(segment.postingBytes(stretch), stretch, segment.chunkCount)
      let count = 0
      let last = -1
      for (let at = from; at < to; at++) {
        const hit = order[at]!
        const document = chunkDocuments[hits[hit]!.chunk]!
        // The hits of one document follow each other.
        if (document !== last) count = reader.timesIn(firstChunks[document]!, firstChunks[document + 1]!)
        last = document
        times[hit * terms.length + term] = count
      }
    }
    reader.close()
  }
}

const makeRoom = (hits: number, terms: number): void => {
  if (order.length < hits) order = new Float64Array(2 * hits)
  if (lengths.length < hits) lengths = new Float64Array(2 * hits)
  if (times.length < hits * terms) times = new Uint32Array(2 * hits * terms)
  times.fill(0, 0, hits * terms)
}
