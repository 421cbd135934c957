/** The reranking model of the host as searches call it: its scores are usable, or it is unavailable. */
import { Context, Effect, Layer } from "effect"
import { Reranker, type RerankingModel } from "../ports/Reranker.ts"
import { callModel } from "./callModel.ts"
import { modelBreaker } from "./modelBreaker.ts"

/** Milliseconds; a slower model counts as failed. */
const TIMEOUT = 30_000

const isScore = (score: unknown): boolean => typeof score === "number" && !Number.isNaN(score)

/** Unusable scores are a failure. */
const usable = (count: number) => (scores: ReadonlyArray<number>) => {
  // Also what is no list, and the holes of one.
  if (scores.length === count && Array.from(scores).every(isScore)) return scores
  throw new Error(`its scores are ${scores.length} for ${count} texts, or not all numbers`)
}

export class Reranking extends Context.Service<Reranking, {
  /** Null without one; nothing is reranked then. */
  readonly model: RerankingModel | null
}>()("@tributary/core/search/Reranking") {
  static readonly layer = Layer.effect(
    Reranking,
    Effect.gen(function*() {
      const host = yield* Reranker
      if (host === null) return Reranking.of({ model: null })
      const spared = yield* modelBreaker
      const rerank: RerankingModel["rerank"] = (query, texts) =>
        spared(callModel(TIMEOUT, () => host.rerank(query, texts), usable(texts.length)))
      return Reranking.of({ model: { model: host.model, rerank } })
    })
  )
}
