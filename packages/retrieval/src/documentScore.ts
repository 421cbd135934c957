/**
 * BM25 of whole documents, for those that a search found by a chunk.
 *
 * A chunk shows how closely one place is about the query, its document how much the whole is; the two together rank
 * better than either.
 */
import type { ViewPart } from "./Mask.ts"
import { TimesReader } from "./postings.ts"
import type { Scoring } from "./scoring.ts"
import type { Hit } from "./TopHits.ts"

// A search runs to its end without a pause, so all share it.
const reader = new TimesReader()

/** How often each term of a query stands in the document of each hit. */
export class DocumentTimes {
  readonly #scoring: Scoring
  /** For each hit those of all terms. */
  readonly #times: Array<number> = []
  readonly #lengths: Array<number>

  constructor(parts: ReadonlyArray<ViewPart>, scoring: Scoring, hits: ReadonlyArray<Hit>) {
    this.#scoring = scoring
    this.#lengths = hits.map(() => 0)
    for (let at = 0; at < hits.length * scoring.terms.length; at++) this.#times.push(0)
    const places = [...hits.keys()].sort((left, right) =>
      hits[left]!.part - hits[right]!.part || hits[left]!.chunk - hits[right]!.chunk
    )
    for (let from = 0; from < places.length;) {
      const { part } = hits[places[from]!]!
      let to = from
      while (to < places.length && hits[places[to]!]!.part === part) to++
      this.#count(parts[part]!, hits, places, from, to)
      from = to
    }
  }

  /** Whether a term, by its place in `scoring`, stands in the document of a hit. */
  stands(hit: number, term: number): boolean {
    return this.#times[hit * this.#scoring.terms.length + term]! > 0
  }

  score(hit: number): number {
    const { documentNorm, terms } = this.#scoring
    const below = documentNorm(this.#lengths[hit]!)
    let score = 0
    for (let term = 0; term < terms.length; term++) {
      const times = this.#times[hit * terms.length + term]!
      score += (terms[term]!.weight * times) / (times + below)
    }
    return score
  }

  /** The hits that `places` names from `from` to `to` are of one part, and their chunks rise. */
  #count({ segment }: ViewPart, hits: ReadonlyArray<Hit>, places: ReadonlyArray<number>, from: number, to: number) {
    const { chunkDocuments, firstChunks } = segment
    const { terms } = this.#scoring
    for (let at = from; at < to; at++) {
      this.#lengths[places[at]!] = segment.lengthOf(chunkDocuments[hits[places[at]!]!.chunk]!)
    }
    for (let term = 0; term < terms.length; term++) {
      const stretch = segment.terms.find(terms[term]!.term)
      if (stretch === null) continue
      reader.open(segment.postingBytes(stretch), stretch, segment.chunkCount)
      let [times, last] = [0, -1]
      for (let at = from; at < to; at++) {
        const place = places[at]!
        const document = chunkDocuments[hits[place]!.chunk]!
        // The hits of one document follow each other.
        if (document !== last) times = reader.timesIn(firstChunks[document]!, firstChunks[document + 1]!)
        last = document
        this.#times[place * terms.length + term] = times
      }
    }
    reader.close()
  }
}
