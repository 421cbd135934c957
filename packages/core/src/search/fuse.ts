/** Fuses the lexical and the semantic ranking into one. */
import { byRank, type Hit } from "@tributary/retrieval"

/** Above any fused score: of n scores, none is more than the root of n deviations above the mean. */
const EXACT = 4

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

/** The weight of the semantic share; the lexical share has the rest. */
const SEMANTIC_WEIGHT = 0.4

/** A hit that is this many standard deviations above the mean gets a share of one, and one as far below it none. */
const DEVIATIONS = 3

/** Documents without the words count as well, with zero, if fewer than this have them: a word that few have says more. */
const MIN_COMPARED = 50

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** A smaller deviation, relative to the scores, comes from rounding: they are equal. */
const ROUNDING = 1e-9

/** Comparable shares of scores on any scale. The best of nearly equal ones gets less than one far above the others. */
const sharesOf = (scores: ReadonlyArray<number>): (score: number) => number => {
  const middle = mean(scores)
  const deviation = Math.sqrt(mean(scores.map((score) => (score - middle) ** 2)))
  const isEven = deviation <= ROUNDING * Math.abs(middle)
  return (score) => isEven ? 0.5 : Math.max(0, 0.5 + (score - middle) / (2 * DEVIATIONS * deviation))
}

/**
 * Exact names and quoted phrases come first, in lexical order. Every other hit counts once, by its lexical and its
 * semantic share; the rest follows.
 */
export const fuse = ({ semantic, lexical, groupBy, ranked }: Rankings): ReadonlyArray<Hit> => {
  const keyOf = ({ documentId, ordinal }: Hit) => groupBy === "document" ? documentId : `${documentId} ${ordinal}`
  const exact = lexical.filter(({ identifier }) => identifier).map((hit) => ({ ...hit, score: EXACT + hit.score }))
  const first = lexical.slice(0, ranked)
  const compared = first.filter(({ identifier }) => !identifier)
  const without = Array.from({ length: Math.max(0, MIN_COMPARED - first.length) }, () => 0)
  const lexicalShare = sharesOf([...compared.map(({ score }) => score), ...without])
  const semanticShare = sharesOf(semantic.map(({ score }) => score))
  const fused = new Map(
    compared.map((hit) => [keyOf(hit), { ...hit, score: (1 - SEMANTIC_WEIGHT) * lexicalShare(hit.score) }])
  )
  const isExact = new Set(exact.map(keyOf))
  for (const hit of semantic) {
    const key = keyOf(hit)
    if (isExact.has(key)) continue
    const known = fused.get(key)
    fused.set(key, { ...known ?? hit, score: (known?.score ?? 0) + SEMANTIC_WEIGHT * semanticShare(hit.score) })
  }
  const middle = [...fused.values()].sort(byRank)
  const least = middle.at(-1)?.score ?? 1
  const rest = lexical.slice(ranked)
    .filter((hit) => !hit.identifier && !fused.has(keyOf(hit)))
    .map((hit, at) => ({ ...hit, score: least / (at + 2) }))
  return [...exact, ...middle, ...rest]
}
