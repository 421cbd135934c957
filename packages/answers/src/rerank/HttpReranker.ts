/** Reranking models behind `POST /rerank` as Cohere, Jina and Voyage offer it, and as text-embeddings-inference does. */
import { endpointOf } from "@tributary/core/endpointOf"
import { checkNumbers, MILLISECONDS } from "@tributary/core/model/NumberRule"
import { ModelUnavailable } from "@tributary/core/ports/Embedder"
import { Reranker, type RerankingModel } from "@tributary/core/ports/Reranker"
import { Effect, Layer, type Redacted, Schema } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as ModelHttpClient from "../internal/ModelHttpClient.ts"
import { readText } from "../internal/readText.ts"

export interface Options {
  /** The base address of the API, such as `https://api.jina.ai/v1`, or the address of `/rerank` itself. */
  readonly url: string | URL
  readonly model: string
  readonly key?: Redacted.Redacted | undefined
  /** The timeout in milliseconds; after it the order does not change. */
  readonly timeout?: number | undefined
}

const Scored = Schema.Struct({ index: Schema.Int, relevance_score: Schema.Finite })

/** Cohere and Jina answer `results`, Voyage `data`, text-embeddings-inference a bare list. */
const Ranking = Schema.Union([
  Schema.Struct({ results: Schema.Array(Scored) }),
  Schema.Struct({ data: Schema.Array(Scored) }),
  Schema.Array(Schema.Struct({ index: Schema.Int, score: Schema.Finite }))
])

const decode = Schema.decodeEffect(Schema.fromJsonString(Ranking))

const pairs = (ranking: typeof Ranking.Type): ReadonlyArray<readonly [number, number]> =>
  "results" in ranking
    ? ranking.results.map(({ index, relevance_score }) => [index, relevance_score])
    : "data" in ranking
    ? ranking.data.map(({ index, relevance_score }) => [index, relevance_score])
    : ranking.map(({ index, score }) => [index, score])

/** Says what happened; neither the texts nor the key. */
const unavailable = (reason: string) => new ModelUnavailable({ cause: new Error(reason) })

/** One score for each text, in their order. */
const scoresOf = (ranking: typeof Ranking.Type, count: number) => {
  const scored = pairs(ranking)
  const byIndex = new Map(scored)
  const scores = Array.from({ length: count }, (_, index) => byIndex.get(index) ?? []).flat()
  return scores.length === count && scored.length === count
    ? Effect.succeed(scores)
    : Effect.fail(unavailable(`it sent ${scored.length} scores, for ${scores.length} of ${count} texts`))
}

const readScores = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse, count: number) {
  if (response.status !== 200) return yield* unavailable(`it answered ${response.status}`)
  const ranking = yield* readText(response).pipe(
    Effect.flatMap(decode),
    Effect.mapError(() => unavailable("its answer holds no scores"))
  )
  return yield* scoresOf(ranking, count)
})

export const make = Effect.fnUntraced(function*({ key, model, timeout = 5_000, url }: Options) {
  checkNumbers({ timeout: MILLISECONDS }, { timeout })
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.post(endpointOf(url, "/rerank")).pipe(
    key === undefined ? HttpClientRequest.acceptJson : HttpClientRequest.bearerToken(key)
  )
  // The two dialects differ in the name of the texts. The one that a server takes is remembered.
  let dialect: "documents" | "texts" = "documents"

  const post = (query: string, texts: ReadonlyArray<string>, name: typeof dialect) =>
    client.execute(HttpClientRequest.bodyJsonUnsafe(
      request,
      name === "documents" ? { model, query, documents: texts } : { query, texts, truncate: true }
    )).pipe(Effect.mapError(() => unavailable("the connection was lost")))

  const send = Effect.fnUntraced(function*(query: string, texts: ReadonlyArray<string>) {
    const first = yield* post(query, texts, dialect)
    if (first.status !== 400 && first.status !== 422) return first
    const other = dialect === "documents" ? "texts" : "documents"
    const second = yield* post(query, texts, other)
    if (second.status === 200) dialect = other
    return second
  })

  const rerank: RerankingModel["rerank"] = (query, texts) =>
    Effect.flatMap(send(query, texts), (response) => readScores(response, texts.length)).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(unavailable(`no answer within ${timeout} ms`))
      }),
      Effect.withSpan(`rerank ${model}`, {
        kind: "client",
        attributes: { "gen_ai.operation.name": "rerank", "gen_ai.request.model": model }
      })
    )
  return { model, rerank } satisfies RerankingModel
})

/** Over the `HttpClient` that it is given. */
const layerClient = (options: Options): Layer.Layer<never, never, HttpClient.HttpClient> =>
  Layer.effect(Reranker, make(options))

/** Over the platform's `fetch`. */
export const layer = (options: Options): Layer.Layer<never> =>
  Layer.provide(layerClient(options), ModelHttpClient.layer)
