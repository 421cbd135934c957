/** The thread that reads calendar objects: some rules of repetition keep the library busy for ever. */
import { parentPort } from "node:worker_threads"
import type { EventRead } from "./EventReader.ts"
import { readEvent, type Window } from "./readEvent.ts"

if (parentPort === null) throw new Error("this module is the entry of a worker thread")
const port = parentPort
const send = (read: EventRead) => port.postMessage(read, [])

port.on("message", ({ text, window }: { readonly text: string; readonly window: Window }) => {
  try {
    send({ event: readEvent(text, window) })
  } catch {
    send({ damaged: true })
  }
})
