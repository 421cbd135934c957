/** BM25 over all parts of a view, as if they were one. */
import { decodeLength } from "./lengths.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import type { Segment } from "./Segment.ts"

const K1 = 1.2
const B = 0.6

export interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

export interface Scoring {
  readonly terms: ReadonlyArray<WeightedTerm>
  readonly identifiers: ReadonlyArray<string>
  /** How much each term tells; those that stand nowhere are absent. */
  readonly rarities: ReadonlyMap<string, number>
  /**
   * More than all terms together can give, in a chunk, in its document and near each other: what names the thing comes
   * before what resembles it.
   */
  readonly identifierBonus: number
  /** The same as `norms`, for a whole document of so many words. */
  readonly documentNorm: (length: number) => number
  /** For each length code, what is added to a count below the line. */
  readonly norms: Float64Array
}

export const postingsOf = (segment: Segment, term: string): readonly [start: number, end: number] | undefined => {
  const index = segment.terms.find(term)
  return index === -1 ? undefined : [segment.postingOffsets[index]!, segment.postingOffsets[index + 1]!]
}

const frequencyOf = (parts: ReadonlyArray<ViewPart>, term: string): number =>
  parts.reduce((sum, { segment }) => {
    const postings = postingsOf(segment, term)
    return postings === undefined ? sum : sum + postings[1] - postings[0]
  }, 0)

interface Totals {
  readonly documents: number
  readonly chunks: number
  /** Words in all of them. */
  readonly length: number
}

const totalsOf = (parts: ReadonlyArray<ViewPart>): Totals =>
  parts.reduce(({ chunks, documents, length }, { mask, segment }) => ({
    documents: documents + segment.documentCount - mask.hiddenDocuments,
    chunks: chunks + segment.chunkCount - mask.hiddenChunks,
    length: length + segment.totalLength - mask.hiddenLength
  }), { documents: 0, chunks: 0, length: 0 })

/** Hidden chunks still count in `frequency` until a merge, so the total may have to make room for them. */
const rarityOf = (chunks: number, frequency: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))

const raritiesIn = (
  parts: ReadonlyArray<ViewPart>,
  { chunks }: Totals,
  query: Query
): ReadonlyMap<string, number> =>
  new Map([...query.weights.keys()].flatMap((term) => {
    const frequency = frequencyOf(parts, term)
    return frequency === 0 ? [] : [[term, rarityOf(chunks, frequency)] as const]
  }))

const normOf = (length: number, average: number): number => K1 * (1 - B + (B * length) / Math.max(1, average))

export const scoringOf = (parts: ReadonlyArray<ViewPart>, query: Query): Scoring => {
  const totals = totalsOf(parts)
  const rarities = raritiesIn(parts, totals, query)
  const terms = [...rarities].map(([term, rarity]) => ({
    term,
    weight: query.weights.get(term)! * (K1 + 1) * rarity
  }))
  const average = (count: number) => totals.length / Math.max(1, count)
  return {
    terms,
    identifiers: query.identifiers,
    rarities,
    identifierBonus: Math.ceil(1 + 3 * terms.reduce((sum, { weight }) => sum + weight, 0)),
    norms: Float64Array.from({ length: 256 }, (_, code) => normOf(decodeLength(code), average(totals.chunks))),
    documentNorm: (length) => normOf(length, average(totals.documents))
  }
}

/** How much each term of the query tells, over all parts; those that stand nowhere are absent. */
export const raritiesOf = (parts: ReadonlyArray<ViewPart>, query: Query): ReadonlyMap<string, number> =>
  raritiesIn(parts, totalsOf(parts), query)
