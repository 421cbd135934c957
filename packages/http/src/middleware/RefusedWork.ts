/**
 * Limits the work for refused bodies. A body that fails validation does not count against the rate limit, so it is
 * counted here, by workspace. Each node counts separately.
 */
import { RateLimitExceeded } from "@tributary/core/model/Error"
import { Clock, Effect } from "effect"

const WINDOW_SECONDS = 60
/** Bytes of refused bodies per window. */
const MAX_BYTES = 67_108_864
/** The most senders to remember; beyond it, expired ones are dropped, or all. */
const MAX_SENDERS = 10_000

interface Window {
  readonly ends: number
  bytes: number
}

export const makeRefusedWork = () => {
  const windows = new Map<string, Window>()

  const openWindow = (sender: string, now: number): Window => {
    const open = windows.get(sender)
    if (open !== undefined && open.ends > now) return open
    if (windows.size >= MAX_SENDERS) {
      for (const [other, { ends }] of windows) if (ends <= now) windows.delete(other)
      if (windows.size >= MAX_SENDERS) windows.clear()
    }
    const window = { ends: now + WINDOW_SECONDS * 1_000, bytes: 0 }
    windows.set(sender, window)
    return window
  }

  return {
    /** Fails if too much of one of the senders was refused recently. */
    check: (senders: ReadonlyArray<string>): Effect.Effect<void, RateLimitExceeded> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const spent = senders.flatMap((sender) => windows.get(sender) ?? [])
          .filter(({ bytes, ends }) => ends > now && bytes >= MAX_BYTES)
        return spent.length === 0 ? Effect.void : Effect.fail(
          new RateLimitExceeded({
            endpoint: "refused_bodies",
            message: "Too many requests were refused.",
            limit: MAX_BYTES,
            remaining: 0,
            window_seconds: WINDOW_SECONDS,
            retry_after: Math.max(...spent.map(({ ends }) => Math.ceil((ends - now) / 1_000)))
          })
        )
      }),
    count: (senders: ReadonlyArray<string>, bytes: number): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        for (const sender of senders) openWindow(sender, now).bytes += bytes
      })
  }
}
