/** The plain way to search: every posting of every term is scored, and everything is sorted. */
import { blockedIn } from "../../src/search/filter.ts"
import type { ViewPart } from "../../src/segment/Mask.ts"
import type { Query } from "../../src/search/query/Query.ts"
import { scoringOf, termScore } from "../../src/search/scoring.ts"
import type { SearchOptions } from "../../src/search/searchView.ts"
import { MAX_SEGMENT_CHUNKS } from "../../src/segment/SegmentBuilder.ts"
import { byRank, type Hit } from "../../src/search/TopHits.ts"

const postings = { chunks: new Uint16Array(MAX_SEGMENT_CHUNKS), counts: new Uint8Array(MAX_SEGMENT_CHUNKS) }

/** Terms are added from the last to the first: the order must not show. */
const scoresOf = ({ segment }: ViewPart, query: Query, parts: ReadonlyArray<ViewPart>) => {
  const scores = new Map<number, { score: number; identifier: boolean }>()
  const scoring = scoringOf(parts, query)
  const add = (term: string, identifier: boolean, partOf: (chunk: number, count: number) => number) => {
    const stretch = segment.terms.find(term)
    const count = stretch === null ? 0 : segment.readPostings(stretch, postings)
    for (let at = 0; at < count; at++) {
      const chunk = postings.chunks[at]!
      const before = scores.get(chunk) ?? { score: 0, identifier: false }
      scores.set(chunk, {
        score: before.score + partOf(chunk, postings.counts[at]!),
        identifier: before.identifier || identifier
      })
    }
  }
  for (const term of scoring.identifiers) add(term, true, () => scoring.identifierBonus)
  for (const { term, weight } of scoring.terms.toReversed()) {
    add(term, false, (chunk, count) => termScore(weight, count, scoring.norms[segment.chunkLengths[chunk]!]!))
  }
  return scores
}

const bestOfEach = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const seen = new Set<string>()
  return hits.filter(({ documentId, part }) => {
    const isNew = !seen.has(`${documentId} ${part}`)
    seen.add(`${documentId} ${part}`)
    return isNew
  })
}

export const exhaustiveSearch = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  options: SearchOptions
): ReadonlyArray<Hit> => {
  const hits = parts.flatMap((part, position): ReadonlyArray<Hit> => {
    const { segment } = part
    const blocked = blockedIn(part, options)
    return [...scoresOf(part, query, parts)].flatMap(([chunk, { identifier, score }]) => {
      const document = segment.chunkDocuments[chunk]!
      return blocked !== null && blocked[document] === 1 ? [] : [{
        part: position,
        chunk,
        documentId: segment.idOf(document),
        version: segment.versionOf(document),
        ordinal: chunk - segment.firstChunks[document]!,
        score,
        identifier,
        from: segment.fromOf(document),
        to: segment.toOf(document)
      }]
    })
  }).sort(byRank)
  return (options.groupBy === "chunk" ? hits : bestOfEach(hits)).slice(0, options.limit)
}
