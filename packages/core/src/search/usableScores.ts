/** The scores of a reranking model; unusable ones are a failure. */
import { Effect } from "effect"
import { ModelUnavailable } from "../ports/Embedder.ts"
import type { RerankingModel } from "../ports/Reranker.ts"
import { callModel } from "./callModel.ts"

/** Milliseconds; a slower model counts as failed. */
const TIMEOUT = 30_000

export const usableScores = (reranker: RerankingModel, query: string, texts: ReadonlyArray<string>) =>
  Effect.filterOrFail(
    callModel(TIMEOUT, () => reranker.rerank(query, texts)),
    (scores) => scores.length === texts.length && !scores.some(Number.isNaN),
    (scores) =>
      new ModelUnavailable({
        cause: new Error(`its scores are ${scores.length} for ${texts.length} texts, or not all numbers`)
      })
  )
