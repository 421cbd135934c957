/** The end of a server's process that the bench talks to: where it listens, and how much processor time it has used. */
import type { Place } from "./scenarios.ts"

export type Message = { readonly place: Place } | { readonly cpu: number }

const send = (message: Message): void => {
  process.send?.(message)
}

/** Microseconds, of the program and of the system on its behalf. */
const cpuTime = (): number => {
  const { system, user } = process.cpuUsage()
  return user + system
}

/** Answers the parent until that goes away. */
export const report = (place: Place): void => {
  process.on("message", () => send({ cpu: cpuTime() }))
  process.on("disconnect", () => process.exit(0))
  send({ place })
}
