/** The thread that parses calendar objects: some recurrence rules keep the library busy forever. */
import { parentPort } from "node:worker_threads"
import type { EventRead, EventTask } from "./EventReader.ts"
import { readEvent } from "./readEvent.ts"

if (parentPort === null) throw new Error("this module is the entry of a worker thread")
const port = parentPort
const send = (read: EventRead) => port.postMessage(read, [])

port.on("message", ({ text, window }: EventTask) => {
  try {
    send({ event: readEvent(text, window) })
  } catch {
    send({ damaged: true })
  }
})
