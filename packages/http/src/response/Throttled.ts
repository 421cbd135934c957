/** Too many concurrent or recent requests of a kind that no plan limits; answered like a rate limit. */
import { LimitedEndpoint } from "@tributary/core/model/Error"
import { Schema } from "effect"

export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", {
  /** What there was too much of. */
  endpoint: LimitedEndpoint,
  /** A message for people. */
  reason: Schema.String,
  limit: Schema.Int,
  window_seconds: Schema.Int,
  retry_after: Schema.Int
}) {}
