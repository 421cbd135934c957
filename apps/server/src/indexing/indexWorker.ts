/** The thread that builds segments: one task after the other, until it is ended. */
import { IndexBuilder } from "@tributary/core/ports/IndexBuilder"
import * as Effect from "effect/Effect"
import { parentPort } from "node:worker_threads"
import { type Answer, perform, type Task } from "./messages.ts"

const port = parentPort
if (port === null) throw new Error("this module is the entry of a worker thread")

const builder = await Effect.runPromise(Effect.provide(Effect.service(IndexBuilder), IndexBuilder.layer))

port.on("message", (task: Task) => {
  try {
    const bytes = Effect.runSync(perform(builder, task))
    port.postMessage({ bytes } satisfies Answer, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [])
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.stack ?? error.message : String(error) } satisfies Answer)
  }
})
