/** Rate limits for ask, search and refresh. */
import { Context, Effect, Layer } from "effect"
import { RateLimitExceeded, type StorageUnavailable } from "../model/Error.ts"
import { LimitedOperation, type RateLimit } from "../model/Plan.ts"
import type { RateWindow } from "../model/Usage.ts"
import { limitsFor, type WorkspaceRecord } from "../model/Workspace.ts"
import { RateWindows, type WindowState } from "../ports/RateWindows.ts"

/** In whole seconds, rounded up, so that waiting that long is enough. */
const windowOf = (limit: RateLimit, { count, resetMillis }: WindowState): RateWindow => ({
  ...limit,
  remaining: Math.max(0, limit.limit - count),
  reset: Math.max(1, Math.ceil(resetMillis / 1_000))
})

/** Windows of another length are others: nobody waits for the end of one that is longer than the present ones. */
const nameOf = (operation: LimitedOperation, { window_seconds }: RateLimit): string => `${operation} ${window_seconds}`

export class RateLimits extends Context.Service<RateLimits, {
  /** Counts one request and returns what is left; null if the operation is unlimited. */
  take(
    workspace: WorkspaceRecord,
    operation: LimitedOperation
  ): Effect.Effect<RateWindow | null, RateLimitExceeded | StorageUnavailable>
  /** The state of every limited operation, without counting. */
  windows(workspace: WorkspaceRecord): Effect.Effect<Partial<Record<LimitedOperation, RateWindow>>, StorageUnavailable>
}>()("@tributary/core/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function*() {
      const store = yield* RateWindows

      // Unnamed: a name would cost a stack trace and a span per call.
      const take = Effect.fnUntraced(function*(workspace: WorkspaceRecord, operation: LimitedOperation) {
        const limit = limitsFor(workspace)[operation]
        if (limit === null) return null
        const state = yield* store.take(workspace.workspace_id, nameOf(operation, limit), limit)
        const window = windowOf(limit, state)
        if (state.allowed) return window
        return yield* new RateLimitExceeded({
          endpoint: operation,
          limit: limit.limit,
          remaining: 0,
          window_seconds: limit.window_seconds,
          retry_after: window.reset
        })
      })

      const windows = Effect.fn("RateLimits.windows")(function*(workspace: WorkspaceRecord) {
        const limits = limitsFor(workspace)
        const open: Partial<Record<LimitedOperation, RateWindow>> = {}
        for (const operation of LimitedOperation.literals) {
          const limit = limits[operation]
          if (limit === null) continue
          open[operation] = windowOf(limit, yield* store.peek(workspace.workspace_id, nameOf(operation, limit), limit))
        }
        return open
      })

      return RateLimits.of({ take, windows })
    })
  )
}
