/** The thread that parses calendar objects: some recurrence rules keep the library busy forever. */
import { port } from "../readerPort.ts"
import type { EventRead, EventTask } from "./EventReader.ts"
import { readEvent } from "./readEvent.ts"

const read = ({ text, window }: EventTask): EventRead => {
  try {
    return { event: readEvent(text, window) }
  } catch {
    return null
  }
}

port.on("message", (task: EventTask) => port.postMessage(read(task), []))
