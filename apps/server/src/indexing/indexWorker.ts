/** The thread that builds segments: one task after the other, until it is ended. */
import { IndexBuilder } from "@tributary/core/ports/IndexBuilder"
import * as Effect from "effect/Effect"
import { constants, setPriority } from "node:os"
import { parentPort, workerData } from "node:worker_threads"
import { type Answer, perform, type Piece, type Task, type Thread } from "./messages.ts"

const port = parentPort
if (port === null) throw new Error("this module is the entry of a worker thread")

const { urgency } = workerData as Thread

// On Linux it is that of the calling thread; elsewhere it would be that of the whole process.
if (urgency === "patient" && process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const builder = await Effect.runPromise(Effect.provide(Effect.service(IndexBuilder), IndexBuilder.layer))

let taken: Array<unknown> = []

port.on("message", (piece: Piece) => {
  for (const one of piece.input) taken.push(one)
  if (!piece.isLast) return
  // All pieces of a task are of its type.
  const task = { type: piece.type, input: taken } as Task
  taken = []
  try {
    const bytes = Effect.runSync(perform(builder, task))
    port.postMessage({ bytes } satisfies Answer, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [])
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.stack ?? error.message : String(error) } satisfies Answer)
  }
})
