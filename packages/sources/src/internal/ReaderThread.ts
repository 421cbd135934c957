/**
 * A thread that reads what others wrote, with an end to its patience.
 *
 * It starts with the first task, and ends when none comes for a while. One that takes too long, or all the memory that
 * it is given, costs the thread and nothing else: the next task gets a new one.
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"

export interface ReaderThread<Task, Answer> {
  /** One after the other. Null when the task was too much. What is handed over is gone here. */
  readonly read: (task: Task, handOver?: ReadonlyArray<ArrayBuffer>) => Promise<Answer | null>
  readonly end: () => Promise<void>
}

const MEGABYTES = 256
/** Starting takes time of its own. */
const START_MILLIS = 4_000
/** From one sync of a mailbox or calendar to the next it is longer. */
const IDLE_MILLIS = 30_000

// Compiled, this module and those of the threads end in .js.
const ending = import.meta.url.slice(-3)

/** `entry` is the thread's module, which answers each message by one. A task may take this many milliseconds. */
export const makeReaderThread = <Task, Answer>(
  entry: URL,
  patience: number,
  idle = IDLE_MILLIS
): ReaderThread<Task, Answer> => {
  let worker: Worker | undefined
  let leave: NodeJS.Timeout | undefined
  const start = () => {
    const started = new Worker(new URL(entry.href.replace(/\.ts$/, ending)), {
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      env: {}
    })
    started.unref()
    return started.on("error", () => undefined)
  }
  const end = async () => {
    clearTimeout(leave)
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const read = async (task: Task, handOver: ReadonlyArray<ArrayBuffer>): Promise<Answer | null> => {
    clearTimeout(leave)
    const given = new AbortController()
    const late = setTimeout(() => given.abort(), worker === undefined ? patience + START_MILLIS : patience)
    worker ??= start()
    const answer = once(worker, "message", { signal: given.signal })
    worker.postMessage(task, [...handOver])
    try {
      const [read] = await answer
      return read
    } catch {
      await end()
      return null
    } finally {
      clearTimeout(late)
      leave = setTimeout(() => void end(), idle).unref()
    }
  }
  let turn: Promise<unknown> = Promise.resolve()
  return {
    end,
    read: (task, handOver = []) => {
      const mine = turn.then(() => read(task, handOver))
      turn = mine.catch(() => undefined)
      return mine
    }
  }
}
