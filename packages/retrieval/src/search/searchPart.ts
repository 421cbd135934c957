/**
 * Searches one segment window by window, without scoring chunks that cannot be among the best (MaxScore).
 *
 * Each term has an upper bound per window. The terms whose bounds together are below the worst of the best hits cannot
 * bring in a chunk, so only the other terms are read completely; the former are read for the remaining chunks.
 */
import { WINDOW, windowsOf } from "../segment/postings.ts"
import type { ViewPart } from "../segment/Mask.ts"
import type { Scoring } from "./scoring.ts"
import { MAX_SEGMENT_CHUNKS } from "../segment/SegmentBuilder.ts"
import { TermCursor, WindowScores } from "./TermCursor.ts"
import type { TopHits } from "./TopHits.ts"

interface PartSearch {
  readonly part: ViewPart
  /** The index of the part in the view. */
  readonly position: number
  /** One byte per document, non-zero if it must not be found. */
  readonly blocked: Uint8Array | null
  readonly groupBy: "document" | "chunk"
}

// A search is synchronous, so these buffers are shared.
const cursors: Array<TermCursor> = []
const window = new WindowScores()
/**
 * The best chunk of each document in the window. Never cleared: an entry of another window is valid only if it is true
 * here, too.
 */
const bestPlaces = new Uint16Array(MAX_SEGMENT_CHUNKS)

const cursorAt = (index: number): TermCursor => cursors[index] ??= new TermCursor()

/** A cursor for each term of the segment. A term keeps its cursor across segments. */
const openCursors = ({ segment }: ViewPart, { identifierBonus, identifiers, norms, terms }: Scoring) => {
  const opened: Array<TermCursor> = []
  terms.forEach(({ term, weight }, index) => {
    const stretch = segment.terms.find(term)
    if (stretch === null) return
    cursorAt(index).open(segment, stretch, weight, norms)
    opened.push(cursorAt(index))
  })
  identifiers.forEach((term, index) => {
    const stretch = segment.terms.find(term)
    if (stretch === null) return
    const cursor = cursorAt(terms.length + index)
    cursor.openConstant(segment, stretch, identifierBonus)
    opened.push(cursor)
  })
  return opened
}

/** Sorted by their bound in the window, ascending. Few, and nearly sorted from the previous window. */
const sortByBound = (order: Array<TermCursor>, at: number): void => {
  for (let index = 1; index < order.length; index++) {
    const cursor = order[index]!
    let place = index
    for (; place > 0 && order[place - 1]!.bounds[at]! > cursor.bounds[at]!; place--) order[place] = order[place - 1]!
    order[place] = cursor
  }
}

const dropBlocked = (base: number, chunkDocuments: Uint16Array, blocked: Uint8Array): void => {
  const { scores, touched } = window
  let kept = 0
  for (let index = 0; index < window.count; index++) {
    const place = touched[index]!
    if (blocked[chunkDocuments[base + place]!] === 0) touched[kept++] = place
    else scores[place] = 0
  }
  window.count = kept
}

/** Leaves the chunks in `window` that may enter, with their complete scores. */
const scoreWindow = (
  order: Array<TermCursor>,
  at: number,
  { blocked, part }: PartSearch,
  threshold: number
): void => {
  sortByBound(order, at)
  let rest = 0
  let optional = 0
  while (optional < order.length && rest + order[optional]!.bounds[at]! < threshold) {
    rest += order[optional++]!.bounds[at]!
  }
  if (optional === order.length) return
  // The strongest term first: a chunk without it can enter only if the weaker terms together reach the limit.
  let weaker = rest
  for (let index = optional; index < order.length - 1; index++) weaker += order[index]!.bounds[at]!
  for (let index = order.length - 1; index >= optional; index--) {
    order[index]!.add(at, window, threshold - weaker)
    if (index > optional) weaker -= order[index - 1]!.bounds[at]!
  }
  if (blocked !== null) dropBlocked(at * WINDOW, part.segment.chunkDocuments, blocked)
  for (let index = optional - 1; index >= 0; index--) {
    window.keep(threshold - rest)
    if (window.count === 0) return
    order[index]!.raise(at, window)
    rest -= order[index]!.bounds[at]!
  }
  window.keep(threshold)
}

const findBestPlaces = (base: number, chunkDocuments: Uint16Array): void => {
  const { count, scores, touched } = window
  for (let index = 0; index < count; index++) {
    const place = touched[index]!
    const score = scores[place]!
    const document = chunkDocuments[base + place]!
    const best = bestPlaces[document]!
    // The first of equals.
    const isBetter = chunkDocuments[base + best] !== document || score > scores[best]! ||
      (score === scores[best] && place < best)
    if (isBetter) bestPlaces[document] = place
  }
}

const offerWindow = (at: number, { groupBy, part, position }: PartSearch, top: TopHits): void => {
  const { chunkDocuments, firstChunks } = part.segment
  const { count, scores, touched } = window
  const base = at * WINDOW
  const perChunk = groupBy === "chunk"
  if (!perChunk) findBestPlaces(base, chunkDocuments)
  for (let index = 0; index < count; index++) {
    const place = touched[index]!
    const score = scores[place]!
    if (score < top.threshold) continue
    const document = chunkDocuments[base + place]!
    if (!perChunk && bestPlaces[document] !== place) continue
    const first = firstChunks[document]!
    // A document that started in an earlier window may have been found there.
    if (!perChunk && first < base) top.offerBest(position, base + place, score, first, firstChunks[document + 1]!)
    else top.offer(position, base + place, score)
  }
}

export const searchPart = (search: PartSearch, scoring: Scoring, top: TopHits): void => {
  const order = openCursors(search.part, scoring)
  if (order.length === 0) return
  try {
    for (let at = 0; at < windowsOf(search.part.segment.chunkCount); at++) {
      let bound = 0
      for (const cursor of order) bound += cursor.bounds[at]!
      if (bound === 0 || bound < top.threshold) continue
      scoreWindow(order, at, search, top.threshold)
      offerWindow(at, search, top)
      window.clear()
    }
  } finally {
    window.clear()
    for (const cursor of order) cursor.close()
  }
}
