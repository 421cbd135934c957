/**
 * A span for every request, named by its method and route, within the trace that the caller names; and the ids of the
 * request and its trace on what is logged meanwhile. Neither name nor attribute has anything of a path or a query.
 */
import { isCollected, startSpan } from "@tributary/core/collectedTraces"
import type { Sampling } from "@tributary/core/ports/TraceSampling"
import { Clock, Context, Effect, Exit, type Fiber, Option, References, Tracer } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import { OuterCaller } from "./Authorization.ts"
import type { RouteTable } from "./RouteTable.ts"
import { knownMethod } from "./RequestMetrics.ts"
import { requestId } from "./RequestId.ts"

/** Probes and scrapes come every few seconds and say nothing. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"])

const end = (span: Tracer.Span, now: bigint, exit: Exit.Exit<HttpServerResponse, unknown>): void => {
  if (Exit.isFailure(exit)) return span.end(now, exit)
  const { status } = exit.value
  span.attribute("http.response.status_code", status)
  if (status >= 500) span.attribute("error.type", String(status))
  span.end(now, status < 500 ? Exit.void : Exit.die(new Error(`status ${status}`)))
}

/** The span of the caller, here or elsewhere. */
const parentOf = ({ headers }: HttpServerRequest, { cache }: Fiber.Fiber<unknown, unknown>) =>
  headers["traceparent"] === undefined
    ? cache.span
    : Option.getOrUndefined(HttpTraceContext.w3c(headers)) ?? cache.span

type Answered<E> = Effect.Effect<HttpServerResponse, E>

const annotated = <E>(answered: Answered<E>, annotations: Readonly<Record<string, unknown>>): Answered<E> =>
  Effect.provideService(answered, References.CurrentLogAnnotations, annotations)

const inSpan = <E>(
  answered: Answered<E>,
  span: Tracer.Span,
  tracer: Tracer.Tracer,
  annotations: Readonly<Record<string, unknown>>
): Answered<E> => {
  const within = (context: Context.Context<never>) =>
    context.pipe(
      Context.add(Tracer.Tracer, tracer),
      Context.add(Tracer.ParentSpan, span),
      Context.add(References.CurrentLogAnnotations, annotations)
    )
  return Effect.onExit(
    Effect.updateContext(answered, within),
    (exit) => Effect.map(Clock.currentTimeNanos, (now) => end(span, now, exit))
  )
}

export const traced = <E>(
  request: HttpServerRequest,
  routes: RouteTable,
  sampling: Sampling | null,
  fiber: Fiber.Fiber<unknown, unknown>,
  answered: Answered<E>
): Answered<E> => {
  const ids = { ...Context.get(fiber.context, References.CurrentLogAnnotations), request_id: requestId(request) }
  if (sampling === null && !isCollected(fiber)) return annotated(answered, ids)
  const parent = parentOf(request, fiber)
  // A request within another, as tools make them, begins no trace of its own.
  const isSampled = parent?.sampled ??
    ((sampling?.begins() ?? true) && Context.get(fiber.context, OuterCaller) === null)
  const route = isSampled ? routes.pathOf(request.method, request.url) : undefined
  if (!isSampled || UNTRACED.has(route)) {
    const untraced = annotated(answered, parent === undefined ? ids : { ...ids, trace_id: parent.traceId })
    // A tracer of the host would begin traces with what the request does.
    return sampling === null ? Effect.provideService(untraced, Tracer.Tracer, Tracer.nativeTracer) : untraced
  }
  const tracer = sampling?.tracer ?? fiber.cache.tracer ?? Tracer.nativeTracer
  const method = knownMethod(request.method)
  const span = startSpan(fiber, tracer, route === undefined ? method : `${method} ${route}`, "server", parent)
  span.attribute("http.request.method", method)
  if (route !== undefined) span.attribute("http.route", route)
  span.attribute("tributary.request.id", ids.request_id)
  return inSpan(answered, span, tracer, { ...ids, trace_id: span.traceId })
}
