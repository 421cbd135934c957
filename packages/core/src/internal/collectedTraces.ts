/**
 * Spans where somebody collects them. The platform makes them in any case and forgets them, which takes a third of a
 * small request, so whether to make one is decided by who calls.
 */
import { Clock, Context, Effect, Fiber, LogLevel, Option, References, Tracer } from "effect"
import { type Sampling, TraceSampling } from "../ports/TraceSampling.ts"

export const isCollected = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracer !== undefined && cache.tracer !== Tracer.nativeTracer && cache.tracerEnabled

/** Runs what is sampled with the tracer that sends it. */
export const withSampling = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  sampling: Sampling | null
): Effect.Effect<A, E, R> => sampling === null ? effect : Effect.provideService(effect, Tracer.Tracer, sampling.tracer)

/**
 * Starts a span now, with the links, attributes and least level that surround it, as `Effect.withSpan` does. Its trace is
 * sampled, since no other has spans.
 */
export const startSpan = (
  { context }: Fiber.Fiber<unknown, unknown>,
  tracer: Tracer.Tracer,
  name: string,
  kind: Tracer.SpanKind,
  parent: Tracer.AnySpan | undefined
): Tracer.Span => {
  const links = Context.get(context, References.TracerSpanLinks)
  const least = Context.get(context, Tracer.MinimumTraceLevel)
  const span = tracer.span({
    name,
    kind,
    parent: Option.fromUndefinedOr(parent),
    annotations: Context.empty(),
    links: links.length === 0 ? [] : [...links],
    startTime: Context.get(context, Clock.Clock).currentTimeNanosUnsafe(),
    root: false,
    sampled: least === "All" || LogLevel.isGreaterThanOrEqualTo(Context.get(context, Tracer.CurrentTraceLevel), least)
  })
  const attributes = Context.get(context, References.TracerSpanAnnotations)
  for (const key in attributes) span.attribute(key, attributes[key])
  return span
}

/**
 * `Effect.withSpan` at a fraction of its cost: it changes the context for each of tracer, span and stack frame, and
 * what a fiber caches of its context is read again after each change.
 */
const withSpan = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  kind: Tracer.SpanKind
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const span = startSpan(fiber, fiber.cache.tracer ?? Tracer.nativeTracer, name, kind, fiber.cache.span)
    return Effect.onExit(
      Effect.provideService(effect, Tracer.ParentSpan, span) as Effect.Effect<A, E, R>,
      (exit) => Effect.map(Clock.currentTimeNanos, (now) => span.end(now, exit))
    )
  })

/** A call to a storage begins no trace, and an operation only with the tracer of a host, which decides by itself. */
const begins = (fiber: Fiber.Fiber<unknown, unknown>, kind: Tracer.SpanKind): boolean =>
  kind === "internal" && isCollected(fiber) && Context.get(fiber.context, TraceSampling) === null

/** Whether somebody gets the span of what the running fiber calls. */
const isSent = (kind: Tracer.SpanKind): boolean => {
  const fiber = Fiber.getCurrent()
  if (fiber === undefined) return false
  const { span } = fiber.cache
  return span === undefined ? begins(fiber, kind) : span.sampled && isCollected(fiber)
}

/** An operation in a span. */
export const operation = <Args extends ReadonlyArray<unknown>, A, E, R>(
  name: string,
  run: (...args: Args) => Effect.Effect<A, E, R>
) =>
(...args: Args): Effect.Effect<A, E, R> =>
  isSent("internal")
    ? withSpan(run(...args), name, "internal")
    : run(...args)

/** Methods that return effects, in a span each: `Ingest.text`. */
export const traceMethods = <Service extends object>(
  service: Service,
  name: string,
  kind: Tracer.SpanKind
): Service => {
  const methods = Object.entries(service).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== "function") return []
    const span = `${name}.${key}`
    const method = (...args: ReadonlyArray<unknown>): unknown => {
      const called: unknown = Reflect.apply(value, service, args)
      return isSent(kind) && Effect.isEffect(called)
        ? withSpan(called, span, kind)
        : called
    }
    return [[key, method]]
  })
  return { ...service, ...Object.fromEntries(methods) }
}
