/**
 * Shares the process between keys. A key has any number of tasks at once while it is alone; while others have tasks, or
 * had some lately, it has one at a time, so that a task of another key waits for one of its tasks and not for all.
 */
import { Clock, Effect, Semaphore } from "effect"

/** Milliseconds for which a key counts after its last task. */
const RECENT = 1_000

interface Share {
  readonly turns: Semaphore.Semaphore
  tasks: number
}

interface Ended {
  readonly key: string
  readonly at: number
}

export const makeFairShare = () => {
  const shares = new Map<string, Share>()
  /** The last task that ended, and the last one of another key. */
  let [last, other]: [Ended | null, Ended | null] = [null, null]

  const isAlone = (key: string, now: number): boolean => {
    const recent = last?.key === key ? other : last
    // Nor was it recent if the clock was set back since.
    return shares.size <= 1 && (recent === null || Math.abs(now - recent.at) > RECENT)
  }

  const enter = (key: string) =>
    Effect.sync(() => {
      const share = shares.get(key) ?? { turns: Semaphore.makeUnsafe(1), tasks: 0 }
      shares.set(key, share)
      share.tasks++
      return share
    })

  const leave = (key: string, share: Share) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      if (--share.tasks === 0) shares.delete(key)
      if (last !== null && last.key !== key) other = last
      last = { key, at }
    })

  const resize = (key: string, { turns }: Share) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => turns.resize(isAlone(key, now) ? Number.MAX_SAFE_INTEGER : 1)
    )

  return (key: string) => <A, E, R>(task: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      enter(key),
      (share) => Effect.andThen(resize(key, share), share.turns.withPermit(task)),
      (share) => Effect.andThen(leave(key, share), resize(key, share))
    )
}
