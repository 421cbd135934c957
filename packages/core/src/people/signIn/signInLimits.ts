/** Limits the guessing of what signs somebody in. */
import { Clock, Effect } from "effect"
import { ClientAddress, networkOf } from "../clientAddress.ts"
import { RateLimitExceeded } from "../../model/Error.ts"
import type { Stored } from "../../ports/Storage.ts"
import { type FailureLimit, failureWindows } from "../../scheduling/failureWindows.ts"

/** The limits from one network address, and for one token. */
const FROM_ONE_PLACE = { limit: 60, window_seconds: 900 }
const OF_ONE_TOKEN = { limit: 5, window_seconds: 900 }

/**
 * Only failures count, and a valid token works even from an address with many failures, which an office may share.
 * `noteFailure` runs after a failure that was counted.
 */
export const signInLimits = () => {
  const failed = failureWindows()

  const checkLimit = Effect.fnUntraced(function*(name: string, limit: FailureLimit) {
    const retry_after = failed.wait(name, limit, yield* Clock.currentTimeMillis)
    if (retry_after === 0) return
    const message = "Too many attempts to sign in."
    return yield* new RateLimitExceeded({ endpoint: "sign_in", ...limit, remaining: 0, retry_after, message })
  })

  return Effect.fnUntraced(function*<A, E extends { readonly _tag: string }>(
    tokenHash: string,
    attempt: Effect.Effect<A, E>,
    noteFailure: Stored<void>
  ) {
    const [place, token] = [`from ${networkOf((yield* ClientAddress) ?? "")}`, `with ${tokenHash}`]
    yield* checkLimit(token, OF_ONE_TOKEN)
    return yield* Effect.tapError(attempt, ({ _tag }) =>
      Effect.gen(function*() {
        if (_tag !== "authentication_error") return
        yield* checkLimit(place, FROM_ONE_PLACE)
        const now = yield* Clock.currentTimeMillis
        failed.fail(place, FROM_ONE_PLACE, now)
        failed.fail(token, OF_ONE_TOKEN, now)
        yield* noteFailure
      }))
  })
}
