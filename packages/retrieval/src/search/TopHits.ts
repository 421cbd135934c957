/** The best hits of a stream of chunks: a heap with the worst hit at its root. */
import type { ViewPart } from "../segment/Mask.ts"
import { MAX_SEGMENT_CHUNKS } from "../segment/SegmentBuilder.ts"
import { compareUuids, UUID } from "../segment/bytes/uuidBytes.ts"

export interface Place {
  /** The index of the part in the view, and of the chunk in its segment. */
  readonly part: number
  readonly chunk: number
}

export interface Scored extends Place {
  readonly score: number
}

export interface Hit extends Scored {
  readonly documentId: string
  readonly version: number
  /** The index of the chunk in its document. */
  readonly ordinal: number
  /**
   * Whether it exactly contains what the query names or quotes, according to the index, or by the text where it was read.
   */
  readonly identifier: boolean
  readonly from: number
  readonly to: number
}

/** Best first. Ties are broken by document and position, so that the order does not depend on the segmentation. */
export const byRank = (left: Hit, right: Hit): number => {
  if (left.score !== right.score) return left.score > right.score ? -1 : 1
  return left.documentId < right.documentId ? -1 : left.documentId > right.documentId ? 1 : left.ordinal - right.ordinal
}

export const hitOf = ({ segment }: ViewPart, { chunk, part, score }: Scored, identifier: boolean): Hit => {
  const document = segment.chunkDocuments[chunk]!
  return {
    part,
    chunk,
    documentId: segment.idOf(document),
    version: segment.versionOf(document),
    ordinal: chunk - segment.firstChunks[document]!,
    score,
    identifier,
    from: segment.fromOf(document),
    to: segment.toOf(document)
  }
}

/** The position of a chunk in the view, as one number. */
const placeOf = (part: number, chunk: number): number => part * MAX_SEGMENT_CHUNKS + chunk

/** Reused for every search, to avoid allocating its arrays. */
export class TopHits {
  #parts: ReadonlyArray<ViewPart> = []
  #limit = 0
  #size = 0
  #scores = new Float64Array(1 << 6)
  #places = new Float64Array(1 << 6)
  /** The lowest score that can enter. */
  threshold = -Infinity

  open(parts: ReadonlyArray<ViewPart>, limit: number): void {
    this.#parts = parts
    this.#limit = limit
    this.#size = 0
    this.threshold = -Infinity
  }

  /** Releases the parts. */
  close(): void {
    this.#parts = []
  }

  offer(part: number, chunk: number, score: number): void {
    const place = placeOf(part, chunk)
    if (this.#size < this.#limit) {
      if (this.#size === this.#scores.length) this.#makeRoom()
      this.#rise(place, score)
    } else if (this.#isBetter(score, place, 0)) {
      this.#sink(place, score, 0, this.#size)
    }
    this.#settle()
  }

  /** Offers a chunk of a document that may already have another one, from `first` to `end`; the better one stays. */
  offerBest(part: number, chunk: number, score: number, first: number, end: number): void {
    const place = placeOf(part, chunk)
    const at = this.#indexWithin(placeOf(part, first), placeOf(part, end))
    if (at === -1) return this.offer(part, chunk, score)
    if (!this.#isBetter(score, place, at)) return
    this.#sink(place, score, at, this.#size)
    this.#settle()
  }

  /** Best first. Call it once, after the last offer. */
  best(): ReadonlyArray<Scored> {
    const scores = this.#scores
    const places = this.#places
    const count = this.#size
    for (let size = count - 1; size > 0; size--) {
      const [place, score] = [places[size]!, scores[size]!]
      places[size] = places[0]!
      scores[size] = scores[0]!
      this.#sink(place, score, 0, size)
    }
    const best: Array<Scored> = []
    for (let at = 0; at < count; at++) {
      const place = places[at]!
      best.push({ part: Math.floor(place / MAX_SEGMENT_CHUNKS), chunk: place % MAX_SEGMENT_CHUNKS, score: scores[at]! })
    }
    return best
  }

  #indexWithin(from: number, to: number): number {
    const places = this.#places
    for (let at = 0; at < this.#size; at++) if (places[at]! >= from && places[at]! < to) return at
    return -1
  }

  #makeRoom(): void {
    const [places, scores] = [this.#places, this.#scores]
    this.#places = new Float64Array(2 * places.length)
    this.#scores = new Float64Array(2 * scores.length)
    this.#places.set(places)
    this.#scores.set(scores)
  }

  #settle(): void {
    if (this.#size >= this.#limit) this.threshold = this.#scores[0]!
  }

  /** Whether it ranks below the one at `at`. */
  #isBetter(score: number, place: number, at: number): boolean {
    const other = this.#scores[at]!
    return score === other ? this.#precedes(place, this.#places[at]!) : score > other
  }

  /** For equal scores, the order of `byRank`. */
  #precedes(left: number, right: number): boolean {
    const [leftPart, rightPart] = [Math.floor(left / MAX_SEGMENT_CHUNKS), Math.floor(right / MAX_SEGMENT_CHUNKS)]
    const [one, other] = [this.#parts[leftPart]!.segment, this.#parts[rightPart]!.segment]
    const document = one.chunkDocuments[left % MAX_SEGMENT_CHUNKS]!
    const otherDocument = other.chunkDocuments[right % MAX_SEGMENT_CHUNKS]!
    if (leftPart === rightPart && document === otherDocument) return left < right
    return compareUuids(one.idBytes(document), document * UUID, other.idBytes(otherDocument), otherDocument * UUID) < 0
  }

  #rise(place: number, score: number): void {
    const places = this.#places
    const scores = this.#scores
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#isBetter(score, place, parent)) break
      places[at] = places[parent]!
      scores[at] = scores[parent]!
      at = parent
    }
    places[at] = place
    scores[at] = score
  }

  /** Sifts into the first `size` entries. */
  #sink(place: number, score: number, from: number, size: number): void {
    const places = this.#places
    const scores = this.#scores
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= size) break
      if (child + 1 < size && this.#isBetter(scores[child]!, places[child]!, child + 1)) child++
      if (!this.#isBetter(score, place, child)) break
      places[at] = places[child]!
      scores[at] = scores[child]!
      at = child
    }
    places[at] = place
    scores[at] = score
  }
}
