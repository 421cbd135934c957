/**
 * Returns the memory of a thread to the system when the thread has worked and is idle. V8 collects garbage only while
 * a thread allocates, and keeps the pages of its largest heap for new objects.
 */
import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Milliseconds between two looks. */
const ROUND = 20_000

/** The most of a round that an idle thread works. */
const IDLE_SHARE = 0.05

/** Milliseconds of work whose garbage is worth a collection, which takes some fifty. */
const WORK = 500

/** Undefined on Bun, whose engine collects by itself. */
const makeCollector = (): (() => void) | undefined => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("globalThis.gc") as ((options: object) => void) | undefined
  setFlagsFromString("--no-expose-gc")
  if (collect === undefined) return undefined
  // Only this flavor also returns the kept pages.
  return () => collect({ type: "major", execution: "sync", flavor: "last-resort" })
}

/** In the calling thread, until it ends. */
export const collectWhenIdle = (
  collect: (() => void) | undefined = makeCollector(),
  measure: typeof performance.eventLoopUtilization = performance.eventLoopUtilization
): void => {
  if (collect === undefined) return
  let last = measure()
  let worked = 0
  setInterval(() => {
    const now = measure()
    const { active, utilization } = measure(now, last)
    last = now
    worked += active
    if (worked < WORK || utilization > IDLE_SHARE) return
    collect()
    last = measure()
    worked = 0
  }, ROUND).unref()
}
