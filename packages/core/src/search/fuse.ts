/** One ranking of two: by words, and by meaning. */
import { byRank, type Hit } from "@tributary/retrieval"

/** How much of a score meaning makes up, the words the rest. */
const MEANING = 0.5

/** More than any fused score. */
const EXACT = 2

/** How many of the nearest take part, whatever page is asked for: so every page agrees on the order. */
export const SEMANTIC_DEPTH = 100

export interface Rankings {
  /** Best first; only the first `ranked` are compared with the others by their scores. */
  readonly lexical: ReadonlyArray<Hit>
  readonly ranked: number
  /** Best first, at most `SEMANTIC_DEPTH`, with cosines for scores. */
  readonly semantic: ReadonlyArray<Hit>
  readonly groupBy: "document" | "chunk"
}

/** From 0 at the least of a full list, below which there is no telling what lies, or else at a right angle. */
const closenessOf = (semantic: ReadonlyArray<Hit>): (cosine: number) => number => {
  const best = semantic[0]?.score ?? 0
  const floor = semantic.length < SEMANTIC_DEPTH ? 0 : Math.max(0, semantic.at(-1)!.score)
  return (cosine) =>
    best <= floor ? (cosine > 0 && cosine === best ? 1 : 0) : Math.max(0, (cosine - floor) / (best - floor))
}

/**
 * What the query names or quotes exactly comes first, in the order of words. Of the others each counts once, by the
 * shares that it has of the best score by words and of the best by meaning; what is neither follows.
 */
export const fuse = ({ semantic, lexical, groupBy, ranked }: Rankings): ReadonlyArray<Hit> => {
  const keyOf = ({ documentId, ordinal }: Hit) => groupBy === "document" ? documentId : `${documentId} ${ordinal}`
  const exact = lexical.filter(({ identifier }) => identifier).map((hit) => ({ ...hit, score: EXACT + hit.score }))
  const compared = lexical.slice(0, ranked).filter(({ identifier }) => !identifier)
  const best = compared.reduce((best, { score }) => Math.max(best, score), 0)
  const proximity = closenessOf(semantic)
  const fused = new Map(
    compared.map((hit) => [keyOf(hit), { ...hit, score: best === 0 ? 0 : (1 - MEANING) * (hit.score / best) }])
  )
  const isExact = new Set(exact.map(keyOf))
  for (const hit of semantic) {
    const key = keyOf(hit)
    if (isExact.has(key)) continue
    const known = fused.get(key)
    fused.set(key, { ...known ?? hit, score: (known?.score ?? 0) + MEANING * proximity(hit.score) })
  }
  const middle = [...fused.values()].sort(byRank)
  const least = middle.at(-1)?.score ?? 1
  const rest = lexical.slice(ranked)
    .filter((hit) => !hit.identifier && !fused.has(keyOf(hit)))
    .map((hit, at) => ({ ...hit, score: least / (at + 2) }))
  return [...exact, ...middle, ...rest]
}
