/** The end of a server's process that the bench talks to: where it listens, and how much processor time it has used. */
import type { Place } from "./scenarios.ts"

export type Message =
  | { readonly place: Place }
  | {
    readonly cpu: number
    /** The longest turn of the event loop since the last message, in milliseconds of processor time. */
    readonly turn: number
    /** Bytes. */
    readonly memory: number
  }

const send = (message: Message): void => {
  process.send?.(message)
}

/** Microseconds, of the program and of the system on its behalf. */
const cpuTime = (): number => {
  const { system, user } = process.cpuUsage()
  return user + system
}

/** How often turns are looked at: what runs between two looks is one turn, and at most this much more. */
const LOOK = 5

/** Watches turns from the first time that they are asked for. */
const turns = () => {
  let longest = 0
  let before: number | undefined
  const look = () => {
    const { system, user } = process.threadCpuUsage()
    const now = (system + user) / 1_000
    longest = Math.max(longest, now - (before ?? now))
    before = now
  }
  return () => {
    if (before === undefined) setInterval(look, LOOK).unref()
    look()
    const since = longest
    longest = 0
    return since
  }
}

/** Answers the parent until that goes away. */
export const report = (place: Place): void => {
  const turn = turns()
  process.on("message", (asked) =>
    send({
      cpu: cpuTime(),
      turn: asked === "turn" ? turn() : 0,
      memory: process.memoryUsage().rss
    }))
  process.on("disconnect", () => process.exit(0))
  send({ place })
}
