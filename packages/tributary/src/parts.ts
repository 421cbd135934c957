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
import { Reranker, type RerankingModel } from "@tributary/core/ports/Reranker"
import { SegmentBudget } from "@tributary/core/ports/SegmentCache"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import * as Providers from "@tributary/core/Providers"
import * as SecretBox from "@tributary/core/SecretBox"
import { QuestionLog, RANKING, Ranking, type RankingMethod } from "@tributary/core/Tributary"
import { type Sender, WebhookSender } from "@tributary/core/WebhookSender"
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"
import * as SegmentFiles from "@tributary/node/SegmentFiles"
import type * as Telemetry from "@tributary/node/Telemetry"
import { Clock, Effect, Layer, type Logger, Redacted, References } from "effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"

/** A service that answers `POST /v1/embeddings` as OpenAI does; with it, search also finds what is near in meaning. */
export interface Embeddings
  extends Pick<OpenAiEmbeddings.Options, "url" | "model" | "dimensions" | "documentPrefix" | "queryPrefix">
{
  readonly key?: string | undefined
}

/** A language model behind `POST /v1/chat/completions` as OpenAI offers it; with it, questions are answered in its words. */
export interface Answers extends Pick<OpenAiLanguageModel.Options, "url">, ModelAnswerer.Options {
  readonly key?: string | undefined
}

/** A reranking model behind `POST /rerank`, which orders the best passages of a search and of every question. */
export interface Reranking extends Pick<HttpReranker.Options, "url" | "model"> {
  readonly key?: string | undefined
}

export interface SegmentCacheOptions {
  /** Created if missing. Processes on one machine may share it if they use the same database. */
  readonly directory: string
  /** The approximate size of all files. Four times `memory` by default. */
  readonly maxBytes?: number | undefined
}

export interface Parts {
  /** Additional kinds of documents, by name. */
  readonly kinds?: Readonly<Record<string, KindDefinition>> | undefined
  /** Sources that workspaces can connect to, in display order. None by default. */
  readonly providers?: ReadonlyArray<Provider> | undefined
  readonly answers?: Answers | undefined
  /** An answerer of the host's own. Wins over `answers`. */
  readonly answerer?: Answerer["Service"] | undefined
  readonly embeddings?: Embeddings | undefined
  /** An embedding model of the host's own. Wins over `embeddings`. */
  readonly embedder?: EmbeddingModel | undefined
  /**
   * Build search segments in the calling thread, or in worker threads, so that no request waits for a rebuild. "worker"
   * by default; "thread" for `openWith`, and in memory where a bundle lacks the worker.
   */
  readonly indexing?: "thread" | "worker" | undefined
  /** The account id of new workspaces. By default, each gets its own account. */
  readonly account?: string | undefined
  /** A reranking model at an address, or one of the host. */
  readonly reranker?: Reranking | RerankingModel | undefined
  /** The host's scoring parameters, rescoring and fusion; absent ones keep their defaults. */
  readonly ranking?: Partial<RankingMethod> | undefined
  /** Bytes of search segments that the process keeps loaded. 512 MiB by default. */
  readonly memory?: number | undefined
  /** Extracts the text of files and of markup. By default ours, which reads files in child processes. */
  readonly extractor?: TextExtractor["Service"] | undefined
  /** Caches search segments on this machine's disk. */
  readonly segmentCache?: SegmentCacheOptions | undefined
  /** Whether to keep questions for 30 days. True by default; false also deletes stored ones. */
  readonly questionLog?: boolean | undefined
  /** Where to write log lines. The console by default; `false` for nowhere. */
  readonly logger?: Logger.Logger<unknown, void> | false | undefined
  /**
   * Where to send traces, metrics and logs by OTLP: an OpenTelemetry collector, or a layer of the host. `close` flushes
   * for at most a second.
   */
  readonly telemetry?: Telemetry.Options | Layer.Layer<never> | undefined
  /**
   * Keys of 32 bytes each for the secrets of connections and webhooks: the first encrypts, every one decrypts. By
   * default, storage "embedded" has a key in its directory. Other storage then refuses sources that need a secret.
   */
  readonly encryptionKeys?: ReadonlyArray<Uint8Array<ArrayBuffer>> | undefined
  /**
   * Sends events to webhooks, such as `make()` of `@tributary/sources/WebhookSender`. Their secrets need
   * `encryptionKeys`. Without a sender, no webhook can be created.
   */
  readonly webhookSender?: Sender | undefined
  /** The clock for ranges, expiry and background work. By default the system's, on Postgres the database's if they differ. */
  readonly clock?: Clock.Clock | undefined
  /** The store that counts requests for rate limits. The documents' storage by default. */
  readonly rateWindows?: RateWindows["Service"] | undefined
}

const secret = (key: string | undefined) => key === undefined ? undefined : Redacted.make(key)

const answersLayer = ({ key, model, url, ...options }: Answers) =>
  ModelAnswerer.layer({ ...options, model }).pipe(
    Layer.provide(OpenAiLanguageModel.layer({ url, model, key: secret(key) }))
  )

const embeddingsLayer = ({ key, ...model }: Embeddings) => OpenAiEmbeddings.layer({ ...model, key: secret(key) })

const rerankerLayer = (reranker: Reranking | RerankingModel) =>
  "rerank" in reranker
    ? Layer.succeed(Reranker, reranker)
    : HttpReranker.layer({ ...reranker, key: secret(reranker.key) })

const whenSet = <A, L>(part: A | undefined, layerOf: (part: A) => L) => part === undefined ? Layer.empty : layerOf(part)

export const partsLayer = (parts: Parts) =>
  Layer.mergeAll(
    whenSet(parts.answers, answersLayer),
    whenSet(parts.answerer, Layer.succeed(Answerer)),
    whenSet(parts.embeddings, embeddingsLayer),
    whenSet(parts.embedder, Layer.succeed(Embedder)),
    whenSet(parts.reranker, rerankerLayer),
    whenSet(parts.encryptionKeys, (keys) => SecretBox.layer(keys.map((key) => Redacted.make(key)))),
    whenSet(parts.kinds, Kinds.layer),
    whenSet(parts.providers, Providers.layer),
    whenSet(parts.questionLog, Layer.succeed(QuestionLog)),
    whenSet(parts.ranking, (ranking) => Layer.succeed(Ranking, { ...RANKING, ...ranking })),
    whenSet(parts.webhookSender, Layer.succeed(WebhookSender))
  )

const telemetryLayer = (telemetry: NonNullable<Parts["telemetry"]>): Layer.Layer<never> =>
  "url" in telemetry
    ? Layer.unwrap(Effect.map(
      Effect.promise(() => import("@tributary/node/Telemetry")),
      ({ layer }) => layer(telemetry)
    ))
    // Routes have their own spans, named by operation; those of the platform contain the query.
    : Layer.merge(telemetry, Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))

const loggersLayer = (logger: NonNullable<Parts["logger"]>) =>
  Layer.succeed(References.CurrentLoggers, new Set(logger === false ? [] : [logger]))

/** What the storage needs as well as the service. */
export const runtimeLayer = ({ clock, logger, memory, telemetry }: Parts) =>
  Layer.mergeAll(
    whenSet(memory, Layer.succeed(SegmentBudget)),
    whenSet(clock, Layer.succeed(Clock.Clock)),
    whenSet(logger, loggersLayer)
  ).pipe((own) => telemetry === undefined ? own : Layer.provideMerge(telemetryLayer(telemetry), own))

/** Parts that a backend may bring and that the host overrides. */
export const overridesLayer = ({ extractor, rateWindows, segmentCache }: Parts) =>
  Layer.mergeAll(
    whenSet(extractor, Layer.succeed(TextExtractor)),
    whenSet(rateWindows, Layer.succeed(RateWindows)),
    whenSet(segmentCache, ({ directory, maxBytes }) => SegmentFiles.layer(directory, maxBytes))
  )
