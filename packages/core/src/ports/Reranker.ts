/** Scores how well texts answer a question. Without one from the host nothing is reranked. */
import { Context, type Effect } from "effect"
import type { ModelUnavailable } from "./Embedder.ts"

export interface RerankingModel {
  readonly model: string
  /** One score for each text, in order; higher is better. Ends within bounded time. */
  rerank(query: string, texts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number>, ModelUnavailable>
}

export const Reranker = Context.Reference<RerankingModel | null>("@tributary/core/ports/Reranker", {
  defaultValue: () => null
})
