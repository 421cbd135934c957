/** Counts a request in its operation's window before the operation runs, and adds the rate-limit headers. */
import type { LimitedOperation } from "@tributary/core/model/Plan"
import type { RateWindow } from "@tributary/core/model/Usage"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { RateLimits } from "@tributary/core/RateLimits"
import { Effect } from "effect"
import { Reply } from "../response/Reply.ts"

export const rateLimitHeaders = (
  { limit, remaining, reset, window_seconds }: RateWindow
): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
  "ratelimit-policy": `${limit};w=${window_seconds}`
})

/** Runs after validation, so that invalid requests do not count. */
export const spending = Effect.map(
  RateLimits,
  (limits) => <E>(workspace: WorkspaceRecord, operation: LimitedOperation, run: Effect.Effect<unknown, E>) =>
    Effect.flatMap(
      limits.take(workspace, operation),
      (window) =>
        window === null ? run : Effect.map(run, (answer) => Reply.of(answer).withHeaders(rateLimitHeaders(window)))
    )
)
