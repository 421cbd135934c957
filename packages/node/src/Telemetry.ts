/**
 * Traces, metrics and logs for a collector of OpenTelemetry, by OTLP over HTTP.
 *
 * A collector that is down, slow or silent costs the service nothing: what it does not take in time is dropped, and the
 * end waits for it a second at most. No text, question, key or address of a request is in what is sent.
 */
import { checkNumbers } from "@tributary/core/model/NumberRule"
import { SAMPLED_SHARE, TraceSampling } from "@tributary/core/ports/TraceSampling"
import { Clock, ConfigProvider, Effect, Layer, Logger } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpLogger from "effect/observability/OtlpLogger"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import { makeCollector } from "./internal/telemetry/collector.ts"
import * as WithoutTexts from "./internal/telemetry/redaction.ts"

export interface Options {
  /** The address of the collector, such as `http://127.0.0.1:4318`; `/v1/traces` and the like are appended. */
  readonly url: string
  /** Sent with every request, such as a credential. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The name of this service in traces. Default: `tributary`. */
  readonly serviceName?: string | undefined
  readonly serviceVersion?: string | undefined
  /** Further attributes of this process, such as `deployment.environment.name`. */
  readonly attributes?: Readonly<Record<string, string>> | undefined
  /**
   * Which share of the traces that begin here is sent, from 0 to 1; 1 by default. A caller that sends a `traceparent`
   * has decided already.
   */
  readonly ratio?: number | undefined
}

/** Spans that are sent together: few enough that writing them holds no request up, many enough to share one request. */
const SPANS = 512

/** Log lines that are sent together: few enough that writing them down holds no request up. */
const LINES = 256

const signals = (
  { attributes, headers, ratio = 1, serviceName = "tributary", serviceVersion, url }: Options,
  isOpen: () => boolean
) => {
  const common = {
    headers,
    // Two processes must be distinct: their counters would overwrite each other.
    resource: { serviceName, serviceVersion, attributes: { "service.instance.id": crypto.randomUUID(), ...attributes } }
  }
  const address = (signal: string) => `${url.replace(/\/+$/, "")}/v1/${signal}`
  return Layer.mergeAll(
    Layer.effect(
      TraceSampling,
      Effect.map(
        OtlpTracer.make({ ...common, url: address("traces"), maxBatchSize: SPANS }),
        (tracer) => ({ begins: () => Math.random() < ratio, tracer })
      )
    ),
    Logger.layer([OtlpLogger.make({ ...common, url: address("logs"), maxBatchSize: LINES, excludeLogSpans: true })], {
      mergeWithExisting: true
    }),
    Layer.effectDiscard(OtlpMetrics.make({ ...common, url: address("metrics") }))
  ).pipe(
    Layer.provide(OtlpExporter.layerFlusher),
    Layer.provide(WithoutTexts.layer(isOpen))
  )
}

/** Other services learn nothing of our traces. */
const unpropagated = Layer.succeed(HttpClient.TracerPropagationEnabled, false)

/** Sends to the collector during its lifetime, and flushes at the end. */
export const layer = (options: Options): Layer.Layer<never> =>
  Layer.effectContext(Effect.gen(function*() {
    checkNumbers({ ratio: SAMPLED_SHARE }, options)
    const { boundEnd, client, clock, isOpen } = yield* makeCollector
    const context = yield* Layer.build(
      Layer.merge(signals(options, isOpen), unpropagated).pipe(
        Layer.provide(Layer.succeed(HttpClient.HttpClient, client)),
        Layer.provide(Layer.succeed(Clock.Clock, clock)),
        // The options say it all.
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({})))
      )
    )
    yield* boundEnd
    return context
  })).pipe(Layer.provide(FetchHttpClient.layer))
