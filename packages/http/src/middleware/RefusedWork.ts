/**
 * Limits the work for refused bodies. A body that fails validation does not count against the rate limit, so its bytes
 * are counted here, by workspace. Each node counts separately.
 */
import { failureWindows } from "@tributary/core/failureWindows"
import { RateLimitExceeded } from "@tributary/core/model/Error"
import { Clock, Effect } from "effect"

/** Bytes of refused bodies per window. */
const LIMIT = { limit: 67_108_864, window_seconds: 60 }

export const makeRefusedWork = () => {
  const refused = failureWindows()
  return {
    /** Fails if too much of one of the senders was refused recently. */
    check: (senders: ReadonlyArray<string>): Effect.Effect<void, RateLimitExceeded> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const retry_after = Math.max(0, ...senders.map((sender) => refused.wait(sender, LIMIT, now)))
        if (retry_after === 0) return Effect.void
        const message = "Too many requests were refused."
        return Effect.fail(
          new RateLimitExceeded({ endpoint: "refused_bodies", ...LIMIT, remaining: 0, retry_after, message })
        )
      }),
    count: (senders: ReadonlyArray<string>, bytes: number): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const sender of senders) refused.fail(sender, LIMIT, now, bytes)
      })
  }
}
