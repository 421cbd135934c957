/** Reorders the best passages by a reranking model. */
import type { Hit } from "@tributary/retrieval"
import { Effect } from "effect"
import type { Passage } from "../ports/DocumentStore.ts"
import { titledText } from "./readPassages.ts"
import type { Lookup } from "./searchPieces.ts"

/** How many are sent to the model, in one request. */
const RERANKED = 50

export const RERANKER_FAILED =
  "reranker: the reranking model does not answer, so passages are in the order of the index"

/**
 * Exact matches stay first. Scores stay at their positions, so that they remain descending, also relative to the
 * passages that the model has not seen.
 */
const reordered = (hits: ReadonlyArray<Hit>, scoreOf: (hit: Hit) => number): ReadonlyArray<Hit> =>
  hits.toSorted((one, other) => Number(other.identifier) - Number(one.identifier) || scoreOf(other) - scoreOf(one)).map(
    (hit, at) => ({ ...hit, score: hits[at]!.score })
  )

/** If the model fails or scores are missing, the order stays. Passages that changed meanwhile have no score and come last. */
export const rerankHits = Effect.fnUntraced(function*<E, R>(
  reranked: Lookup["reranked"],
  hits: ReadonlyArray<Hit>,
  read: (hits: ReadonlyArray<Hit>) => Effect.Effect<ReadonlyMap<Hit, Passage>, E, R>
) {
  if (reranked === null) return { hits, failed: false }
  const best = hits.slice(0, RERANKED)
  const passages = yield* read(best)
  const scored = best.filter((hit) => passages.has(hit))
  if (scored.length < 2) return { hits, failed: false }
  const texts = scored.map((hit) => titledText(passages.get(hit)!))
  const scores = yield* reranked.reranker.rerank(reranked.question, texts).pipe(
    Effect.catchTag(
      "ModelUnavailable",
      (failure) => Effect.as(Effect.logWarning("passages are not reranked", failure), null)
    )
  )
  if (scores === null) return { hits, failed: true }
  const byHit = new Map(scored.map((hit, at) => [hit, scores[at]!]))
  const ordered = reordered(best, (hit) => byHit.get(hit) ?? -Number.MAX_VALUE)
  return { hits: [...ordered, ...hits.slice(RERANKED)], failed: false }
})
