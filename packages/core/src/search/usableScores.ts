/** The scores of a reranking model; unusable ones are a failure. */
import type { RerankingModel } from "../ports/Reranker.ts"
import { callModel } from "./callModel.ts"

/** Milliseconds; a slower model counts as failed. */
const TIMEOUT = 30_000

const isScore = (score: unknown): boolean => typeof score === "number" && !Number.isNaN(score)

export const usableScores = (reranker: RerankingModel, query: string, texts: ReadonlyArray<string>) =>
  callModel(TIMEOUT, () => reranker.rerank(query, texts), (scores) => {
    // Also what is no list, and the holes of one.
    if (scores.length === texts.length && Array.from(scores).every(isScore)) return scores
    throw new Error(`its scores are ${scores.length} for ${texts.length} texts, or not all numbers`)
  })
