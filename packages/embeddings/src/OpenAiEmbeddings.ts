/** Embeddings of any service that answers `POST /v1/embeddings` as OpenAI does: Ollama, vLLM, and hosted ones. */
import { endpointOf } from "@tributary/core/endpointOf"
import { checkNumbers, MILLISECONDS, MILLISECONDS_OR_NONE } from "@tributary/core/model/NumberRule"
import { Embedder, type EmbeddingModel, ModelUnavailable } from "@tributary/core/ports/Embedder"
import { Clock, Effect, Layer, Random, type Redacted, Result } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { NUMBER_RULES } from "./internal/numberRules.ts"
import { type Failure, requestJson } from "./internal/requestJson.ts"
import { readVectors } from "./internal/readVectors.ts"

export interface Options {
  /** The base address of the API, such as `https://api.openai.com/v1`, or the address of `/embeddings` itself. */
  readonly url: string | URL
  /** As the service calls it. */
  readonly model: string
  /** Sent as a bearer token; local servers rarely need one. */
  readonly key?: Redacted.Redacted | undefined
  /** Asks for vectors of this length; the model's own length by default. */
  readonly dimensions?: number | undefined
  /** A prefix of every text; many models are trained with prefixes that distinguish documents from questions. */
  readonly documentPrefix?: string | undefined
  readonly queryPrefix?: string | undefined
  /** Texts in one request, 64 by default. */
  readonly batch?: number | undefined
  /** Milliseconds after which one attempt counts as lost, 30,000 by default. */
  readonly attemptTimeout?: number | undefined
  /** Milliseconds of the first wait before another attempt, 500 by default; every further one is about twice as long. */
  readonly minimumDelay?: number | undefined
}

/** What the numbers of the options have to be. */
export const RULES = {
  ...NUMBER_RULES,
  attemptTimeout: MILLISECONDS,
  minimumDelay: MILLISECONDS_OR_NONE
}

/** A request is sent so often at the most. */
const ATTEMPTS = 4

/** Milliseconds that a call may take with all attempts and waits: a wait that would end later does not start. */
const TOTAL_TIMEOUT = 60_000

const MAX_DELAY = 10_000

/** An error message contains neither the key nor the texts. */
export const make = Effect.fnUntraced(function*(options: Options) {
  checkNumbers(RULES, options)
  const { attemptTimeout = 30_000, batch = 64, dimensions = null, key, minimumDelay = 500, model } = options
  const prefixes = { document: options.documentPrefix ?? "", query: options.queryPrefix ?? "" }
  const client = yield* HttpClient.HttpClient
  const address = endpointOf(options.url, "/embeddings")
  const credential = key === undefined ? HttpClientRequest.acceptJson : HttpClientRequest.bearerToken(key)
  // Vectors of one model are of one length; what the first answer shows holds for the others.
  let length = dimensions

  const send = (texts: ReadonlyArray<string>) =>
    requestJson(
      client,
      HttpClientRequest.post(address).pipe(
        credential,
        HttpClientRequest.bodyJsonUnsafe({
          model,
          input: texts,
          encoding_format: "float",
          ...(dimensions === null ? {} : { dimensions })
        })
      ),
      attemptTimeout
    ).pipe(
      Effect.flatMap((body) => Effect.fromResult(readVectors(body, texts.length, length))),
      Effect.tap((vectors) => Effect.sync(() => length ??= vectors[0]?.length ?? null))
    )

  const unavailable = ({ reason }: Failure) => new ModelUnavailable({ cause: new Error(reason) })

  const sendPatiently = Effect.fnUntraced(function*(texts: ReadonlyArray<string>) {
    const until = (yield* Clock.currentTimeMillis) + TOTAL_TIMEOUT
    for (let attempt = 1;; attempt++) {
      const outcome = yield* Effect.result(send(texts))
      if (Result.isSuccess(outcome)) return outcome.success
      const { retryAfter } = outcome.failure
      const jitter = 0.5 + (yield* Random.next) / 2
      const delay = (retryAfter ?? 0) + Math.min(MAX_DELAY, minimumDelay * 2 ** (attempt - 1)) * jitter
      const isLast = retryAfter === null || attempt === ATTEMPTS || (yield* Clock.currentTimeMillis) + delay > until
      if (isLast) return yield* unavailable(outcome.failure)
      yield* Effect.sleep(delay)
    }
  })

  const embeddings: EmbeddingModel = {
    model: `${model}${dimensions === null ? "" : `@${dimensions}`}${
      prefixes.document === "" ? "" : `+${prefixes.document}`
    }`,
    dimensions,
    batch,
    embed: Effect.fn(`embeddings ${model}`, {
      kind: "client",
      attributes: { "gen_ai.operation.name": "embeddings", "gen_ai.request.model": model }
    })((texts: ReadonlyArray<string>, purpose: "document" | "query") =>
      sendPatiently(texts.map((text) => prefixes[purpose] + text))
    )
  }
  return embeddings
})

/** Over the `HttpClient` that it is given. */
export const layerClient = (options: Options): Layer.Layer<never, never, HttpClient.HttpClient> =>
  Layer.effect(Embedder, make(options))

/** Over the platform's `fetch`. */
export const layer = (options: Options): Layer.Layer<never> =>
  layerClient(options).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide([
      // A redirection could send texts to a host that nobody chose.
      Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }),
      // Others' services learn nothing of our traces.
      Layer.succeed(HttpClient.TracerPropagationEnabled, false)
    ])
  )
