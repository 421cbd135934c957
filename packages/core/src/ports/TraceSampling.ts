/**
 * Whether a trace that begins now is sent. A request and a job ask it once, and all that they do follows: the tracer
 * beside it makes nothing of spans outside of a trace that is sent, so that those cost no request anything. Null with
 * the tracer of a host, which decides by itself.
 */
import { Context } from "effect"

export const TraceSampling = Context.Reference<(() => boolean) | null>("@tributary/core/ports/TraceSampling", {
  defaultValue: () => null
})
