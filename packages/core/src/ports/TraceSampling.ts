/**
 * Which traces are sent. A request and a job ask once whether theirs begins here, and only one that is sampled runs with
 * the tracer, so all others cost as much as without telemetry. Null with the tracer of a host, which decides by itself.
 */
import { Context, type Tracer } from "effect"
import { numberFrom } from "../model/NumberRule.ts"

export interface Sampling {
  /** Whether a trace that begins now is sampled. */
  readonly begins: () => boolean
  /** Sends the spans of sampled traces. */
  readonly tracer: Tracer.Tracer
}

export const TraceSampling = Context.Reference<Sampling | null>("@tributary/core/ports/TraceSampling", {
  defaultValue: () => null
})

/** What the share of sent traces has to be. */
export const SAMPLED_SHARE = numberFrom(0, 1)
