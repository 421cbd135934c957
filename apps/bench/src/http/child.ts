/** The server's side of the channel to the bench: reports its address and its processor times. */
import { cpuTime } from "../cpuTime.ts"
import type { Place } from "./scenarios.ts"

/** Microseconds of processor time. */
export interface Times {
  readonly cpu: number
  /** Of that, for building the search index. */
  readonly index: number
}

export type Message =
  | { readonly place: Place }
  | Times

const send = (message: Message): void => {
  process.send?.(message)
}

/** Answers the parent until it disconnects. */
export const report = (place: Place, indexTime: () => number = () => 0): void => {
  process.on("message", () => send({ cpu: cpuTime(), index: indexTime() }))
  process.on("disconnect", () => process.exit(0))
  send({ place })
}
