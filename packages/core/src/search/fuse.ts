/** Fuses the lexical and the semantic ranking into one. */
import { byRank, type Hit } from "@tributary/retrieval"

/** The weight of the semantic score; the lexical score has the rest. */
const SEMANTIC_WEIGHT = 0.5

/** Above any fused score. */
const EXACT = 2

/** How many of the nearest take part, independent of the page, so that all pages agree on the order. */
export const SEMANTIC_DEPTH = 100

export interface Rankings {
  /** Best first; only the first `ranked` take part with their scores. */
  readonly lexical: ReadonlyArray<Hit>
  readonly ranked: number
  /** Best first, at most `SEMANTIC_DEPTH`, with cosines as scores. */
  readonly semantic: ReadonlyArray<Hit>
  readonly groupBy: "document" | "chunk"
}

/** The score of zero: that of the last hit of a full list, or else a right angle. */
const similarityOf = (semantic: ReadonlyArray<Hit>): (cosine: number) => number => {
  const best = semantic[0]?.score ?? 0
  const floor = semantic.length < SEMANTIC_DEPTH ? 0 : Math.max(0, semantic.at(-1)!.score)
  return (cosine) =>
    best <= floor ? (cosine > 0 && cosine === best ? 1 : 0) : Math.max(0, (cosine - floor) / (best - floor))
}

/**
 * Exact names and quoted phrases come first, in lexical order. Every other hit counts once, by its share of the best
 * lexical and of the best semantic score; the rest follows.
 */
export const fuse = ({ semantic, lexical, groupBy, ranked }: Rankings): ReadonlyArray<Hit> => {
  const keyOf = ({ documentId, ordinal }: Hit) => groupBy === "document" ? documentId : `${documentId} ${ordinal}`
  const exact = lexical.filter(({ identifier }) => identifier).map((hit) => ({ ...hit, score: EXACT + hit.score }))
  const compared = lexical.slice(0, ranked).filter(({ identifier }) => !identifier)
  const best = compared.reduce((best, { score }) => Math.max(best, score), 0)
  const similarity = similarityOf(semantic)
  const fused = new Map(
    compared.map((hit) => [keyOf(hit), { ...hit, score: best === 0 ? 0 : (1 - SEMANTIC_WEIGHT) * (hit.score / best) }])
  )
  const isExact = new Set(exact.map(keyOf))
  for (const hit of semantic) {
    const key = keyOf(hit)
    if (isExact.has(key)) continue
    const known = fused.get(key)
    fused.set(key, { ...known ?? hit, score: (known?.score ?? 0) + SEMANTIC_WEIGHT * similarity(hit.score) })
  }
  const middle = [...fused.values()].sort(byRank)
  const least = middle.at(-1)?.score ?? 1
  const rest = lexical.slice(ranked)
    .filter((hit) => !hit.identifier && !fused.has(keyOf(hit)))
    .map((hit, at) => ({ ...hit, score: least / (at + 2) }))
  return [...exact, ...middle, ...rest]
}
