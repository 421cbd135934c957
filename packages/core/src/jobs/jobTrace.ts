/** The trace in which a job is queued, so that what it does later, on any node, is seen there. */
import { Fiber, Tracer } from "effect"
import { isCollected } from "../internal/collectedTraces.ts"

/** Of the fiber that runs, as a `traceparent` of W3C; null when it is in none that somebody collects. */
export const currentTrace = (): string | null => {
  const fiber = Fiber.getCurrent()
  const span = fiber?.cache.span
  if (fiber === undefined || span?.sampled !== true || !isCollected(fiber)) return null
  return `00-${span.traceId.padStart(32, "0")}-${span.spanId}-01`
}

export const spanOf = (trace: string | null): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])$/.exec(trace ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? undefined
    : Tracer.externalSpan({ traceId, spanId, sampled: flags === "01" })
}
