/** The calls of the embedding model: for queries, which soon do without it, and for documents, which can wait. */
import { Clock, Effect, Result } from "effect"
import { LruCache } from "../../context/LruCache.ts"
import { type EmbeddingModel, ModelUnavailable } from "../../ports/Embedder.ts"
import { callModel } from "../callModel.ts"
import { modelBreaker } from "../modelBreaker.ts"
import { hasDirection, type QueryVector, queryVector } from "../Vectors.ts"

/** How many query vectors are cached, so that every page of a search uses the same. */
const CACHED_QUERIES = 1_000

/** Milliseconds; without a vector by then the query is lexical. */
const QUERY_TIMEOUT = 5_000

/** Milliseconds; a slower batch counts as failed. */
const BATCH_TIMEOUT = 30_000

/** Milliseconds until a failed model gets requests for document vectors again. */
export const RETRY_AFTER = 60_000

const NO_MODEL = Effect.suspend(() => Effect.fail(new ModelUnavailable({ cause: "no model is configured" })))

/** Any model has a vector of it. */
const PLAIN = ["A text of any kind."]

type Vectors = ReadonlyArray<ArrayLike<number>>

/** The vectors of an answer, which may be anything. */
const usable = ({ model }: EmbeddingModel, count: number, dimensions: number | null) => (vectors: Vectors) => {
  const isUsable = (vector: ArrayLike<number> | undefined) =>
    hasDirection(vector) && vector.length === (dimensions ?? vector.length)
  if (Array.from({ length: count }, (_, at) => vectors[at]).every(isUsable)) return vectors
  const length = dimensions === null ? "" : ` of ${dimensions} numbers`
  throw new Error(`the embedding model ${model} was to return ${count} vectors${length}, finite and not all zero`)
}

export const modelCalls = Effect.fnUntraced(function*(model: EmbeddingModel | null) {
  const queries = new LruCache<QueryVector>(CACHED_QUERIES, () => 1)
  let knownDimensions = model?.dimensions ?? null
  let failedAt = -Infinity
  const spared = yield* modelBreaker

  const embedQuery = Effect.fnUntraced(function*(query: string) {
    const known = queries.get(query)
    if (known !== undefined) return known
    if (model === null) return yield* NO_MODEL
    const [vector] = yield* spared(
      callModel(QUERY_TIMEOUT, () => model.embed([query], "query"), usable(model, 1, knownDimensions))
    )
    const values = queryVector(vector!)
    queries.set(query, values)
    return values
  })

  /** The length of the vector of a plain text, which a model that works has. */
  const lengthOfPlain = (timeout: number) =>
    Effect.suspend(() => {
      if (model === null) return NO_MODEL
      const embedded = callModel(timeout, () => model.embed(PLAIN, "document"), usable(model, 1, knownDimensions))
      return Effect.map(embedded, ([vector]) => vector!.length)
    })

  /** No longer if the clock was set back. */
  const isResting = Effect.map(Clock.currentTimeMillis, (now) => Math.abs(now - failedAt) < RETRY_AFTER)

  const rest = Effect.fnUntraced(function*(failure: ModelUnavailable) {
    failedAt = yield* Clock.currentTimeMillis
    yield* Effect.logWarning("the embedding model is unavailable", failure)
    return null
  })

  const dimensions = Effect.gen(function*() {
    if (knownDimensions !== null) return knownDimensions
    if (yield* isResting) return null
    return yield* Effect.matchEffect(lengthOfPlain(BATCH_TIMEOUT), {
      onFailure: rest,
      onSuccess: (length) => Effect.sync(() => knownDimensions = length)
    })
  })

  const embedDocuments = Effect.fnUntraced(function*(texts: ReadonlyArray<string>, dimensions: number) {
    if (model === null || (yield* isResting)) return null
    const outcome = yield* Effect.result(
      callModel(BATCH_TIMEOUT, () => model.embed(texts, "document"), usable(model, texts.length, dimensions))
    )
    if (Result.isSuccess(outcome)) return outcome.success
    // A model that still has a vector of a plain text is available to the texts of others.
    const { failure } = outcome
    return yield* Effect.matchEffect(lengthOfPlain(QUERY_TIMEOUT), {
      onFailure: () => rest(failure),
      onSuccess: () => Effect.succeed(failure)
    })
  })

  return { embedQuery, dimensions, embedDocuments }
})
