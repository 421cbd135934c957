/** Fixed windows of requests in memory. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { RateLimit } from "@tributary/core/model/Plan"
import { RateWindows } from "@tributary/core/ports/RateWindows"
import { Clock, Effect, Layer } from "effect"

interface Window {
  readonly endsAt: number
  readonly count: number
}

/** With fewer windows it is not worth removing expired ones. */
const FEW = 1_000

const keyOf = (workspaceId: WorkspaceId, name: string): string => `${workspaceId} ${name}`

const make = () => {
  const windows = new Map<string, Window>()
  let sweepAt = FEW

  /** One that ends later than a window from now was opened before the clock was set back. */
  const open = (key: string, { window_seconds }: RateLimit, millis: number): Window | undefined => {
    const window = windows.get(key)
    const remains = (window?.endsAt ?? millis) - millis
    return remains > 0 && remains <= window_seconds * 1_000 ? window : undefined
  }

  // Whenever the windows have doubled since the last time: constant cost for each, and no timer.
  const sweep = (millis: number): void => {
    if (windows.size < sweepAt) return
    for (const [key, { endsAt }] of windows) if (endsAt <= millis) windows.delete(key)
    sweepAt = Math.max(FEW, 2 * windows.size)
  }

  const peek = (key: string, limit: RateLimit, millis: number) => {
    const window = open(key, limit, millis)
    return window === undefined
      ? { count: 0, resetMillis: limit.window_seconds * 1_000 }
      : { count: window.count, resetMillis: window.endsAt - millis }
  }

  const take = (key: string, limit: RateLimit, millis: number) => {
    const { count, resetMillis } = peek(key, limit, millis)
    if (count >= limit.limit) return { count, resetMillis, allowed: false }
    sweep(millis)
    windows.set(key, { endsAt: millis + resetMillis, count: count + 1 })
    return { count: count + 1, resetMillis, allowed: true }
  }

  return { peek, take }
}

export const layer = Layer.sync(RateWindows, () => {
  const { peek, take } = make()
  return RateWindows.of({
    peek: (workspaceId, name, limit) =>
      Effect.map(Clock.currentTimeMillis, (millis) => peek(keyOf(workspaceId, name), limit, millis)),
    take: (workspaceId, name, limit) =>
      Effect.map(Clock.currentTimeMillis, (millis) => take(keyOf(workspaceId, name), limit, millis))
  })
})
