/** Loaded before the server, in its process (`--import`): answers the bench how long turns were, and what is on the heap. */
import { monitorEventLoopDelay } from "node:perf_hooks"

export interface Watched {
  /** The longest turn of the event loop since the last message, in milliseconds of processor time. */
  readonly turn: number
  /** The longest delay of the event loop since the last message, in milliseconds, other work of the machine included. */
  readonly delay: number
  /** In use, in megabytes, when asked to collect after a collection: objects, and bytes outside of the heap. */
  readonly heap: number
}

/** How often turns are looked at: what runs between two looks is one turn, and at most this much more. */
const POLL_INTERVAL = 5

const COLLECTIONS = 3

const threadMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

let longest = 0
let before = threadMillis()

const look = (): void => {
  const now = threadMillis()
  longest = Math.max(longest, now - before)
  before = now
}

const delays = monitorEventLoopDelay({ resolution: POLL_INTERVAL })

const answer = (question: "look" | "collect"): void => {
  look()
  const turn = longest
  const delay = delays.max / 1_000_000 - POLL_INTERVAL
  // The collections are no turn of the server's.
  delays.disable()
  delays.reset()
  if (question === "collect") { for (let count = 0; count < COLLECTIONS; count++) globalThis.gc?.() }
  const { external, heapUsed } = process.memoryUsage()
  process.send?.({ turn, delay, heap: (heapUsed + external) / 1_048_576 } satisfies Watched)
  delays.enable()
  before = threadMillis()
  longest = 0
}

// Threads of the server load this, too.
if (process.channel) {
  setInterval(look, POLL_INTERVAL).unref()
  delays.enable()
  process.on("message", answer)
  process.channel.unref()
}
