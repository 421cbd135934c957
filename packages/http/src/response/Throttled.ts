/** Too much of something at once, or lately, that no plan limits: told in the words of a rate limit. */
import { LimitedEndpoint } from "@tributary/core/model/Error"
import { Schema } from "effect"

export class Throttled extends Schema.TaggedError<Throttled>()("Throttled", {
  /** What was too much. */
  endpoint: LimitedEndpoint,
  /** A sentence for a person. */
  reason: Schema.String,
  limit: Schema.Int,
  window_seconds: Schema.Int,
  retry_after: Schema.Int
}) {}
