/** Whether somebody collects the spans of a fiber. The platform makes them in any case, and forgets them. */
import { type Fiber, Tracer } from "effect"

export const isCollected = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracer !== undefined && cache.tracer !== Tracer.nativeTracer && cache.tracerEnabled
