/** Reads calendar objects in a thread of its own, with an end to its patience. */
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import type { CalendarEvent, Window } from "./readEvent.ts"

export type EventRead = { readonly event: CalendarEvent | null } | { readonly damaged: true }

export interface EventReader {
  /** One at a time. */
  readonly read: (text: string, window: Window) => Promise<EventRead>
  readonly end: () => Promise<unknown>
}

const PATIENCE = 2_000
const MEGABYTES = 256

// Compiled, this module and the thread's end in .js.
const entry = import.meta.url.endsWith(".ts")
  ? new URL("./readerMain.ts", import.meta.url)
  : new URL("./readerMain.js", import.meta.url)

export const makeEventReader = (): EventReader => {
  let worker: Worker | undefined
  const start = () => {
    const started = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MEGABYTES }, env: {} })
    started.unref()
    return started.on("error", () => undefined)
  }
  const end = async () => {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }
  return {
    end,
    read: async (text, window) => {
      const isFresh = worker === undefined
      worker ??= start()
      const given = new AbortController()
      // Starting takes time of its own.
      const late = setTimeout(() => given.abort(), isFresh ? PATIENCE * 3 : PATIENCE)
      const answer = once(worker, "message", { signal: given.signal })
      worker.postMessage({ text, window }, [])
      try {
        const [read] = await answer
        return read
      } catch {
        await end()
        return { damaged: true }
      } finally {
        clearTimeout(late)
      }
    }
  }
}
