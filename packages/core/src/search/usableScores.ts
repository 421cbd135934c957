/** The scores of a reranking model, which may be a host's own: late or unusable ones are a failure. */
import { Effect } from "effect"
import { ModelUnavailable } from "../ports/Embedder.ts"
import type { RerankingModel } from "../ports/Reranker.ts"
import { thrownAsUnavailable } from "./thrownAsUnavailable.ts"

/** Milliseconds; a slower model counts as failed. */
const LONGEST = 30_000

const unavailable = (reason: string) => new ModelUnavailable({ cause: new Error(reason) })

export const usableScores = (reranker: RerankingModel, query: string, texts: ReadonlyArray<string>) =>
  thrownAsUnavailable(() => reranker.rerank(query, texts)).pipe(
    Effect.timeoutOrElse({
      duration: LONGEST,
      orElse: () => Effect.fail(unavailable(`no answer within ${LONGEST} ms`))
    }),
    Effect.filterOrFail(
      (scores) => scores.length === texts.length && !scores.some(Number.isNaN),
      (scores) => unavailable(`its scores are ${scores.length} for ${texts.length} texts, or not all numbers`)
    )
  )
