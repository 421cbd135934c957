/**
 * Filters traces and logs before they leave the process. Only listed attributes are sent. Errors are sent as their
 * class and stack trace, because a message may repeat its input.
 */
import { Effect, Layer } from "effect"
import * as HttpBody from "effect/http/HttpBody"
import type { LogsData } from "effect/observability/OtlpLogger"
import type { KeyValue } from "effect/observability/OtlpResource"
import { layerJson, OtlpSerialization } from "effect/observability/OtlpSerialization"
import type { TraceData } from "effect/observability/OtlpTracer"

const OF_SPANS: ReadonlySet<string> = new Set([
  "db.system.name",
  "effect.fiber.interrupted",
  "error.type",
  "gen_ai.operation.name",
  "gen_ai.request.model",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "tributary.job.attempt",
  "tributary.job.id",
  "tributary.job.queue",
  "tributary.request.id",
  "tributary.workspace.id"
])

/** A stack frame, `    at f (file:1:2)`; lines of an error's message have another form. */
const FRAME = /^\s+at .*:\d+:\d+\)?$/

const frames = (stack: string): string => stack.split("\n").filter((line) => FRAME.test(line)).join("\n")

const ofError = ({ key, value }: KeyValue): ReadonlyArray<KeyValue> => {
  if (key === "exception.message") return []
  return [{ key, value: key === "exception.stacktrace" ? { stringValue: frames(value.stringValue ?? "") } : value }]
}

type Span = TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]

/** Without fields that have their default, which are half of what is to be written. */
const safeSpan = (
  { attributes, endTimeUnixNano, events, kind, links, name, parentSpanId, spanId, startTimeUnixNano, status, traceId }:
    Span
) => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind,
  startTimeUnixNano,
  endTimeUnixNano,
  attributes: attributes.length === 0 ? undefined : attributes.filter(({ key }) => OF_SPANS.has(key)),
  events: events.length === 0 ? undefined : events.filter(({ name }) => name === "exception").map((event) => ({
    name: event.name,
    timeUnixNano: event.timeUnixNano,
    attributes: event.attributes.flatMap(ofError)
  })),
  links: links.length === 0 ? undefined : links,
  status: { code: status.code }
})

const safeTraces = ({ resourceSpans }: TraceData) => ({
  resourceSpans: resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({ ...scope, spans: scope.spans.map(safeSpan) }))
  }))
})

type LogRecord = NonNullable<LogsData["resourceLogs"][number]["scopeLogs"][number]["logRecords"]>[number]

const TRACE_ID = /^[0-9a-f]{32}$/

/** The message of a log line is constant; other values, such as errors, are left out. */
const safeRecord = ({ attributes, body, spanId, traceId, ...record }: LogRecord): LogRecord => ({
  ...record,
  ...(typeof traceId === "string" && TRACE_ID.test(traceId) && spanId !== undefined ? { traceId, spanId } : {}),
  attributes: attributes.flatMap(ofError),
  body: body?.arrayValue?.values[0] ?? body ?? { stringValue: "" }
})

const safeLogs = (data: LogsData): LogsData => ({
  resourceLogs: data.resourceLogs.map((resource) => ({
    ...resource,
    scopeLogs: resource.scopeLogs.map((scope) => ({
      ...scope,
      logRecords: (scope.logRecords ?? []).map(safeRecord)
    }))
  }))
})

/** Log lines that would not be sent are not formatted. */
export const layer = (isOpen: () => boolean) =>
  Layer.effect(
    OtlpSerialization,
    Effect.map(OtlpSerialization, ({ logs, metrics }) =>
      OtlpSerialization.of({
        traces: (data) =>
          isOpen() ? HttpBody.text(JSON.stringify(safeTraces(data)), "application/json") : HttpBody.empty,
        metrics: (data) => isOpen() ? metrics(data) : HttpBody.empty,
        logs: (data) => isOpen() ? logs(safeLogs(data)) : HttpBody.empty
      }))
  ).pipe(Layer.provide(layerJson))
