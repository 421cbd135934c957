/** Scores how well texts answer a question. Without one from the host nothing is reranked. */
import { Context, type Effect } from "effect"
import type { ModelUnavailable } from "./Embedder.ts"

/** A reranking model: `open` takes one as `reranker`. */
export interface RerankingModel {
  /** The name of the model, for the log. */
  readonly model: string
  /** One score for each text, in order; higher is better. Ends within bounded time. */
  rerank(query: string, texts: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number>, ModelUnavailable>
}

/** The model of the service; null for no reranking. */
export const Reranker = Context.Reference<RerankingModel | null>("@tributary/core/ports/Reranker", {
  defaultValue: () => null
})
