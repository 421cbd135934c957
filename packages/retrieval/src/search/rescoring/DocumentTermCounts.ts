/**
 * BM25 of whole documents, for the documents of hits.
 *
 * The score of a chunk says how well one passage matches, that of its document how well the whole does. The combination
 * ranks better than either.
 */
import type { ViewPart } from "../../segment/Mask.ts"
import { TermCountReader } from "../../segment/postings.ts"
import type { Scoring, WeightedTerm } from "../scoring.ts"
import { MAX_SEGMENT_CHUNKS } from "../../segment/SegmentBuilder.ts"
import type { Place } from "../TopHits.ts"

/**
 * The occurrences of each query term in the document of each hit. Reused for every search, to avoid allocating its
 * arrays.
 */
export class DocumentTermCounts {
  readonly #reader = new TermCountReader()
  #terms: ReadonlyArray<WeightedTerm> = []
  #norm: Scoring["documentNorm"] = () => 0
  /** The hits, sorted by position. */
  #order = new Float64Array(1 << 6)
  /** The document of each hit. */
  #lengths = new Float64Array(1 << 6)
  /** The counts of all terms for each hit. */
  #counts = new Uint32Array(1 << 9)

  count(parts: ReadonlyArray<ViewPart>, { documentNorm, terms }: Scoring, hits: ReadonlyArray<Place>): void {
    this.#terms = terms
    this.#norm = documentNorm
    this.#makeRoom(hits.length)
    this.#sort(hits)
    const order = this.#order
    for (let from = 0; from < hits.length;) {
      const { part } = hits[order[from]!]!
      let to = from
      while (to < hits.length && hits[order[to]!]!.part === part) to++
      this.#countIn(parts[part]!, hits, from, to)
      from = to
    }
  }

  /** Whether a term, by its index in the scoring, occurs in the document of a hit. */
  occurs(hit: number, term: number): boolean {
    return this.#counts[hit * this.#terms.length + term]! > 0
  }

  score(hit: number): number {
    const terms = this.#terms
    const below = this.#norm(this.#lengths[hit]!)
    let score = 0
    for (let term = 0; term < terms.length; term++) {
      const count = this.#counts[hit * terms.length + term]!
      score += (terms[term]!.weight * count) / (count + below)
    }
    return score
  }

  #makeRoom(hits: number): void {
    const counts = hits * this.#terms.length
    if (this.#order.length < hits) {
      this.#order = new Float64Array(2 * hits)
      this.#lengths = new Float64Array(2 * hits)
    }
    if (this.#counts.length < counts) this.#counts = new Uint32Array(2 * counts)
    this.#counts.fill(0, 0, counts)
  }

  /** Sorts natively as numbers: the integer part is the position of a hit, the fraction its index. */
  #sort(hits: ReadonlyArray<Place>): void {
    const order = this.#order
    const count = hits.length
    for (let hit = 0; hit < count; hit++) {
      const { chunk, part } = hits[hit]!
      order[hit] = (part * MAX_SEGMENT_CHUNKS + chunk) * count + hit
    }
    order.subarray(0, count).sort()
    for (let at = 0; at < count; at++) order[at]! %= count
  }

  /** The hits from `from` to `to` in `#order` belong to one part, and their chunks are ascending. */
  #countIn({ segment }: ViewPart, hits: ReadonlyArray<Place>, from: number, to: number): void {
    const { chunkDocuments, firstChunks } = segment
    const order = this.#order
    const reader = this.#reader
    const terms = this.#terms
    for (let at = from; at < to; at++) {
      const hit = order[at]!
      this.#lengths[hit] = segment.lengthOf(chunkDocuments[hits[hit]!.chunk]!)
    }
    for (let term = 0; term < terms.length; term++) {
      const list = segment.terms.find(terms[term]!.term)
      if (list === null) continue
      reader.open(segment.postingBytes(list), list, segment.chunkCount)
      let occurrences = 0
      let last = -1
      for (let at = from; at < to; at++) {
        const hit = order[at]!
        const document = chunkDocuments[hits[hit]!.chunk]!
        // The hits of one document are consecutive.
        if (document !== last) occurrences = reader.countIn(firstChunks[document]!, firstChunks[document + 1]!)
        last = document
        this.#counts[hit * terms.length + term] = occurrences
      }
    }
    reader.close()
  }
}
