/** The server's side of the channel to the bench: reports its address and its processor time. */
import { cpuTime } from "../cpuTime.ts"
import type { Place } from "./scenarios.ts"

export type Message =
  | { readonly place: Place }
  | { readonly cpu: number }

const send = (message: Message): void => {
  process.send?.(message)
}

/** Answers the parent until it disconnects. */
export const report = (place: Place): void => {
  process.on("message", () => send({ cpu: cpuTime() }))
  process.on("disconnect", () => process.exit(0))
  send({ place })
}
