/** Scans the vectors of segments for the chunks that are nearest to a query. */
import { byRank, type FilterOptions, type Hit, hitOf, type Segment } from "@tributary/retrieval"
import type { Part } from "../context/View.ts"
import type { QueryVector, Vectors } from "./Vectors.ts"

/** Scanned without a pause: some milliseconds' worth of chunks. */
const STRETCH = 8_192

export interface NearestOptions extends FilterOptions {
  readonly groupBy: "document" | "chunk"
  readonly limit: number
}

/** Keeps the best hits; ties are ordered as in every ranking. */
export class Nearest {
  readonly #limit: number
  #hits: Array<Hit> = []
  /** The lowest cosine that can enter. */
  threshold = -Infinity

  constructor(limit: number) {
    this.#limit = limit
  }

  add(hit: Hit): void {
    this.#hits.push(hit)
    if (this.#hits.length >= 4 * this.#limit) this.best()
  }

  best(): ReadonlyArray<Hit> {
    this.#hits = this.#hits.sort(byRank).slice(0, this.#limit)
    if (this.#hits.length === this.#limit) this.threshold = this.#hits.at(-1)?.score ?? Infinity
    return this.#hits
  }
}

/** A part whose chunks have vectors. */
interface Embedded {
  readonly part: Part
  readonly position: number
  readonly vectors: Vectors
  readonly blocked: Uint8Array | null
}

/** Runs of whole documents, each of about this many chunks. */
export function* stretches({ documentCount, firstChunks }: Segment) {
  for (let document = 0; document < documentCount;) {
    const first = firstChunks[document]!
    while (document < documentCount && firstChunks[document]! - first < STRETCH) document++
    yield { first, end: firstChunks[document]! }
  }
}

export const scanRange = (
  { blocked, part, position, vectors }: Embedded,
  query: QueryVector,
  stretch: { readonly first: number; readonly end: number },
  groupBy: NearestOptions["groupBy"],
  nearest: Nearest
): void => {
  const { chunkDocuments } = part.segment
  // The best of the consecutive chunks of a document.
  let best: { readonly chunk: number; readonly cosine: number } | null = null
  const add = () => {
    if (best !== null) {
      const { chunk, cosine: score } = best
      nearest.add(hitOf(part, { part: position, chunk, score }, false))
    }
    best = null
  }
  vectors.scan(
    query,
    { ...stretch, isWanted: blocked === null ? () => true : (chunk) => blocked[chunkDocuments[chunk]!] === 0 },
    (chunk, cosine) => {
      if (cosine < nearest.threshold) return
      const isOther = best === null || groupBy === "chunk" ||
        chunkDocuments[best.chunk] !== chunkDocuments[chunk]
      if (isOther) add()
      if (best === null || cosine > best.cosine) best = { chunk, cosine }
    }
  )
  add()
}
