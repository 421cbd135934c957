/** The thread that reads calendar objects: some rules of repetition keep the library busy for ever. */
import { parentPort } from "node:worker_threads"
import { readEvent, type Window } from "./readEvent.ts"

parentPort!.on("message", ({ text, window }: { readonly text: string; readonly window: Window }) => {
  try {
    parentPort!.postMessage({ event: readEvent(text, window) })
  } catch {
    parentPort!.postMessage({ damaged: true })
  }
})
