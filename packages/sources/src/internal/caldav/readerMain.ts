/** The thread that parses calendar objects: some recurrence rules keep the library busy forever. */
import { port } from "../readerPort.ts"
import type { EventRead, EventTask } from "./EventReader.ts"
import { readEvent } from "./readEvent.ts"

const send = (read: EventRead) => port.postMessage(read, [])

port.on("message", ({ text, window }: EventTask) => {
  try {
    send({ event: readEvent(text, window) })
  } catch {
    send({ damaged: true })
  }
})
