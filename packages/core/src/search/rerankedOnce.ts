/** A reranking model that gets each query once: later searches for it use the same scores, or the same failure. */
import { Effect } from "effect"
import type { ModelUnavailable } from "../ports/Embedder.ts"
import type { RerankingModel } from "../ports/Reranker.ts"

type Scores = ReadonlyMap<string, number>

export const rerankedOnce = (reranker: RerankingModel): RerankingModel => {
  const asked = new Map<string, Effect.Effect<Scores, ModelUnavailable>>()
  const scoresOf = Effect.fnUntraced(function*(query: string, texts: ReadonlyArray<string>) {
    const scores = reranker.rerank(query, texts)
    const known = asked.get(query) ??
      (yield* Effect.cached(
        Effect.map(scores, (scores): Scores => new Map(texts.map((text, at) => [text, scores[at]!])))
      ))
    asked.set(query, known)
    return yield* known
  })
  return {
    model: reranker.model,
    // A text that the model has not seen is the last one.
    rerank: (query, texts) =>
      Effect.map(scoresOf(query, texts), (scores) => texts.map((text) => scores.get(text) ?? -Number.MAX_VALUE))
  }
}
