/** Counts a request in its operation's window before the operation runs. Its response has the rate-limit headers. */
import type { LimitedOperation } from "@tributary/core/model/Plan"
import type { RateWindow } from "@tributary/core/model/Usage"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { RateLimits } from "@tributary/core/RateLimits"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** Stored on the platform's request object, like its id. */
const WINDOW = Symbol("rate window")

type Source = { [WINDOW]?: RateWindow }

export const rateLimitHeaders = (
  { limit, remaining, reset, window_seconds }: RateWindow
): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
  "ratelimit-policy": `${limit};w=${window_seconds}`
})

/** The headers of a counted request, whatever its response. */
export const countedHeaders = ({ source }: HttpServerRequest): Readonly<Record<string, string>> | undefined => {
  const window = (source as Source)[WINDOW]
  return window === undefined ? undefined : rateLimitHeaders(window)
}

/** Runs after validation, so that invalid requests do not count. */
export const spending = Effect.map(
  RateLimits,
  (limits) =>
  <A, E>(
    { source }: HttpServerRequest,
    workspace: WorkspaceRecord,
    operation: LimitedOperation,
    run: Effect.Effect<A, E>
  ) =>
    Effect.flatMap(limits.take(workspace, operation), (window) => {
      if (window !== null) (source as Source)[WINDOW] = window
      return run
    })
)
