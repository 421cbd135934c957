/** Embeddings of any `EmbeddingModel` of `effect/ai`, such as a provider that a host already uses. */
import { checkNumbers, MILLISECONDS } from "@tributary/core/model/NumberRule"
import { Embedder, type EmbeddingModel, ModelUnavailable } from "@tributary/core/ports/Embedder"
import { Effect, Layer } from "effect"
import type * as AiError from "effect/ai/AiError"
import * as AiEmbeddingModel from "effect/ai/EmbeddingModel"
import { NUMBER_RULES } from "./internal/numberRules.ts"

export interface Options {
  /** Names all that vectors depend on: those of different names are never compared. */
  readonly model: string
  /** The length of every vector, if it is known. */
  readonly dimensions?: number | undefined
  readonly documentPrefix?: string | undefined
  readonly queryPrefix?: string | undefined
  /** Texts in one request, 64 by default. */
  readonly batch?: number | undefined
  /** Milliseconds after which a request counts as lost, 30,000 by default. Retries are the provider's. */
  readonly timeout?: number | undefined
}

/** Neither the texts nor what a provider says of its request. */
const unavailable = ({ reason }: AiError.AiError) => new ModelUnavailable({ cause: new Error(reason._tag) })

export const make = Effect.fnUntraced(function*(options: Options) {
  checkNumbers({ ...NUMBER_RULES, timeout: MILLISECONDS }, options)
  const { batch = 64, dimensions = null, documentPrefix = "", model, queryPrefix = "", timeout = 30_000 } = options
  const provider = yield* AiEmbeddingModel.EmbeddingModel
  const prefixes = { document: documentPrefix, query: queryPrefix }
  const fail = (reason: string) => new ModelUnavailable({ cause: new Error(reason) })

  const send = (texts: ReadonlyArray<string>) =>
    provider.embedMany(texts).pipe(
      Effect.mapError(unavailable),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(fail(`no answer within ${timeout} ms`)) }),
      Effect.map(({ embeddings }) => embeddings.map(({ vector }) => vector)),
      Effect.filterOrFail(
        (vectors) =>
          vectors.length === texts.length &&
          vectors.every(({ length }) => length > 0 && length === (dimensions ?? vectors[0]?.length)),
        () => fail("it answered vectors of another number or length")
      )
    )

  return {
    model,
    dimensions,
    batch,
    embed: Effect.fn("EffectEmbeddings.embed")((texts: ReadonlyArray<string>, purpose: "document" | "query") =>
      send(texts.map((text) => prefixes[purpose] + text))
    )
  } satisfies EmbeddingModel
})

export const layer = (options: Options): Layer.Layer<never, never, AiEmbeddingModel.EmbeddingModel> =>
  Layer.effect(Embedder, make(options))
