/** The parts of the service that a host may replace or set, as one layer over the defaults. */
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import * as OpenAiLanguageModel from "@tributary/answers/model/OpenAiLanguageModel"
import * as HttpReranker from "@tributary/answers/rerank/HttpReranker"
import * as Kinds from "@tributary/core/Kinds"
import type { KindDefinition } from "@tributary/core/model/KindCatalogue"
import { Answerer } from "@tributary/core/ports/Answerer"
import { Embedder, type EmbeddingModel } from "@tributary/core/ports/Embedder"
import type { Provider } from "@tributary/core/ports/Provider"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import * as Providers from "@tributary/core/Providers"
import * as SecretBox from "@tributary/core/SecretBox"
import { QuestionLog, RANKING, Ranking, type RankingMethod, SegmentBudget } from "@tributary/core/Tributary"
import { type Sender, WebhookSender } from "@tributary/core/WebhookSender"
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"
import type * as Telemetry from "@tributary/node/Telemetry"
import { Clock, Effect, Layer, type Logger, Redacted, References } from "effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"

/** A service that answers `POST /v1/embeddings` as OpenAI does; with it, search also finds what is near in meaning. */
export interface Embeddings
  extends Pick<OpenAiEmbeddings.Options, "url" | "model" | "dimensions" | "documentPrefix" | "queryPrefix">
{
  readonly key?: string
}

/** A language model behind `POST /v1/chat/completions` as OpenAI offers it; with it, questions are answered in its words. */
export interface Answers
  extends Pick<OpenAiLanguageModel.Options, "url" | "model">, Pick<ModelAnswerer.Options, "contextTokens" | "timeout">
{
  readonly key?: string
}

/** A reranking model behind `POST /rerank`, which orders the best passages of a search and of every question. */
export interface Reranking extends Pick<HttpReranker.Options, "url" | "model"> {
  readonly key?: string
}

export interface Parts {
  /** Kinds of documents beside the built-in ones, by name. */
  readonly kinds?: Readonly<Record<string, KindDefinition>>
  /** What workspaces can be connected to, in the order in which people see it. None by default. */
  readonly providers?: ReadonlyArray<Provider>
  readonly answers?: Answers
  /** An answerer of the host's own. Wins over `answers`. */
  readonly answerer?: Answerer["Service"]
  readonly embeddings?: Embeddings
  /** An embedding model of the host's own. Wins over `embeddings`. */
  readonly embedder?: EmbeddingModel
  /**
   * Where search segments are built: in the thread that calls, or in worker threads, so that no request waits for a
   * rebuild. "worker" by default, and "thread" in memory.
   */
  readonly indexing?: "thread" | "worker"
  /** The id of the account under which workspaces are made. By default, each gets an account of its own. */
  readonly account?: string
  readonly reranker?: Reranking
  /** Parameters, rescoring and fusion of a host's own; what is absent is as it is by default. */
  readonly ranking?: Partial<RankingMethod>
  /** Bytes of search segments that the process keeps loaded. 512 MiB by default. */
  readonly memory?: number
  /** Whether questions are kept for 30 days, for those who look after a workspace. True by default; false deletes them. */
  readonly questionLog?: boolean
  /** Where log lines go. To the console by default; `false` for nowhere. */
  readonly logger?: Logger.Logger<unknown, void> | false
  /**
   * Where traces, metrics and logs are sent by OTLP: a collector of OpenTelemetry, or a layer of the host's own. What is
   * left is sent with `close`, which waits a second for it at most.
   */
  readonly telemetry?: Telemetry.Options | Layer.Layer<never>
  /**
   * Keys of 32 bytes each for the secrets of connections: the first seals, every one opens. Without any, no source
   * that needs a secret can be connected.
   */
  readonly encryptionKeys?: ReadonlyArray<Uint8Array<ArrayBuffer>>
  /**
   * Sends events to webhooks, such as `make()` of `@tributary/sources/WebhookSender`. Their secrets need
   * `encryptionKeys`. Without a sender, no webhook can be created.
   */
  readonly webhookSender?: Sender
  /** What time it is, for ranges, expiry and background work. The system's by default. */
  readonly clock?: Clock.Clock
  /** Where requests are counted for rate limits. With the documents by default. */
  readonly rateWindows?: RateWindows["Service"]
}

const secret = (key: string | undefined) => key === undefined ? undefined : Redacted.make(key)

const answersLayer = ({ key, model, url, ...options }: Answers) =>
  ModelAnswerer.layer({ ...options, model }).pipe(
    Layer.provide(OpenAiLanguageModel.layer({ url, model, key: secret(key) }))
  )

const embeddingsLayer = ({ key, ...model }: Embeddings) => OpenAiEmbeddings.layer({ ...model, key: secret(key) })

export const partsLayer = (
  {
    answerer,
    answers,
    embedder,
    embeddings,
    encryptionKeys,
    kinds,
    memory,
    providers,
    questionLog,
    ranking,
    reranker,
    webhookSender
  }: Parts
) =>
  Layer.mergeAll(
    answers === undefined ? Layer.empty : answersLayer(answers),
    answerer === undefined ? Layer.empty : Layer.succeed(Answerer, answerer),
    embeddings === undefined ? Layer.empty : embeddingsLayer(embeddings),
    embedder === undefined ? Layer.empty : Layer.succeed(Embedder, embedder),
    reranker === undefined ? Layer.empty : HttpReranker.layer({ ...reranker, key: secret(reranker.key) }),
    encryptionKeys === undefined ? Layer.empty : SecretBox.layer(encryptionKeys.map((key) => Redacted.make(key))),
    kinds === undefined ? Layer.empty : Kinds.layer(kinds),
    memory === undefined ? Layer.empty : Layer.succeed(SegmentBudget, memory),
    providers === undefined ? Layer.empty : Providers.layer(providers),
    questionLog === undefined ? Layer.empty : Layer.succeed(QuestionLog, questionLog),
    ranking === undefined ? Layer.empty : Layer.succeed(Ranking, { ...RANKING, ...ranking }),
    webhookSender === undefined ? Layer.empty : Layer.succeed(WebhookSender, webhookSender)
  )

const telemetryLayer = (telemetry: NonNullable<Parts["telemetry"]>): Layer.Layer<never> =>
  "url" in telemetry
    ? Layer.unwrap(Effect.map(
      Effect.promise(() => import("@tributary/node/Telemetry")),
      ({ layer }) => layer(telemetry)
    ))
    // The routes have spans of their own, named by operation; those of the platform repeat the query.
    : Layer.merge(telemetry, Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))

/** What the storage goes by as well as the service. */
export const surroundings = ({ clock, logger, telemetry }: Parts) =>
  Layer.mergeAll(
    clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, clock),
    logger === undefined
      ? Layer.empty
      : Layer.succeed(References.CurrentLoggers, new Set(logger === false ? [] : [logger]))
  ).pipe((own) => telemetry === undefined ? own : Layer.provideMerge(telemetryLayer(telemetry), own))

/** Parts that every backend brings, and that the host replaces. */
export const replacements = ({ rateWindows }: Parts) =>
  rateWindows === undefined ? Layer.empty : Layer.succeed(RateWindows, rateWindows)
