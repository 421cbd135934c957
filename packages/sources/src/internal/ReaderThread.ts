/**
 * A thread that parses untrusted data, with limits on time and memory.
 *
 * It starts with the first task and stops when idle. A task that exceeds a limit kills only the thread; the next task
 * starts a new one.
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"

export interface ReaderThread<Task, Answer> {
  /** Runs one task at a time. Null if the task exceeded a limit. The input is transferred to the thread. */
  readonly read: (task: Task, handOver?: ReadonlyArray<ArrayBuffer>) => Promise<Answer | null>
  readonly end: () => Promise<void>
}

const MEGABYTES = 256
/** Starting the thread takes time, which does not count against a task. */
const START_MILLIS = 4_000
/** Shorter than the interval between two syncs of a mailbox or calendar. */
const IDLE_MILLIS = 30_000

// In a build, this module and those of the threads end in .js.
const ending = import.meta.url.slice(-3)

/**
 * `entry` is the thread's module, which answers each message with one. `patience` is the limit per task in
 * milliseconds.
 */
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
