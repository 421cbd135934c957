/** The calls of the embedding model: for queries, which soon do without it, and for documents, which can wait. */
import { Clock, Effect, Result } from "effect"
import { LruCache } from "../../context/LruCache.ts"
import { type EmbeddingModel, ModelUnavailable } from "../../ports/Embedder.ts"
import { callModel } from "../callModel.ts"
import { isDirected, type QueryVector, queryVector } from "../Vectors.ts"

/** How many query vectors are cached, so that every page of a search uses the same. */
const CACHED_QUERIES = 1_000

/** Milliseconds; without a vector by then the query is lexical. */
const QUERY_TIMEOUT = 5_000

/** Milliseconds; a slower batch counts as failed. */
const BATCH_TIMEOUT = 30_000

/** Milliseconds until a failed model gets requests for document vectors again. */
export const RETRY_AFTER = 60_000

const NO_MODEL = Effect.suspend(() => Effect.fail(new ModelUnavailable({ cause: "no model is configured" })))

export const modelCalls = (model: EmbeddingModel | null) => {
  const queries = new LruCache<QueryVector>(CACHED_QUERIES, () => 1)
  let knownDimensions = model?.dimensions ?? null
  let failedAt = -Infinity

  const embedQuery = Effect.fnUntraced(function*(query: string) {
    const known = queries.get(query)
    if (known !== undefined) return known
    if (model === null) return yield* NO_MODEL
    const [vector] = yield* callModel(QUERY_TIMEOUT, () => model.embed([query], "query"))
    if (!isDirected(vector) || vector.length !== (knownDimensions ?? vector.length)) {
      const reason = "returned a vector that is absent, zero, not finite or of another length"
      return yield* new ModelUnavailable({ cause: new Error(`the embedding model ${model.model} ${reason}`) })
    }
    const values = queryVector(vector)
    queries.set(query, values)
    return values
  })

  const dimensions = Effect.gen(function*() {
    if (knownDimensions !== null) return knownDimensions
    if (model === null) return yield* NO_MODEL
    const [vector = []] = yield* callModel(BATCH_TIMEOUT, () => model.embed(["A text of any kind."], "document"))
    return knownDimensions = vector.length
  })

  const ifAvailable = Effect.fnUntraced(function*<A>(call: () => Effect.Effect<A, ModelUnavailable>) {
    if ((yield* Clock.currentTimeMillis) - failedAt < RETRY_AFTER) return null
    const outcome = yield* Effect.result(callModel(BATCH_TIMEOUT, call))
    if (Result.isSuccess(outcome)) return outcome.success
    failedAt = yield* Clock.currentTimeMillis
    yield* Effect.logWarning("the embedding model is unavailable", outcome.failure)
    return null
  })

  return { embedQuery, dimensions, ifAvailable }
}
