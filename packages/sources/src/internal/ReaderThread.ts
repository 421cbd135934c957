/**
 * A thread that parses untrusted data, with limits on time and memory.
 *
 * It starts with the first task and stops when idle. A task that exceeds a limit kills only the thread; the next task
 * starts a new one.
 */
import { Worker } from "node:worker_threads"
import { ownModule } from "@tributary/node/ownModule"
import { Supervised } from "@tributary/node/Supervised"

export interface ReaderThread<Task, Answer> {
  /** Runs one task at a time. Null if the task exceeded a limit. The input is transferred to the thread. */
  readonly read: (task: Task, handOver?: ReadonlyArray<ArrayBuffer>) => Promise<Answer | null>
  readonly end: () => Promise<void>
}

interface LentThread<Task, Answer> extends ReaderThread<Task, Answer> {
  /** Whether it has no task. */
  readonly isIdle: () => boolean
}

const MEGABYTES = 256
/** Starting the thread takes time, which does not count against a task. */
const START_MILLIS = 4_000
/** How often the processor time is checked. */
const WATCH_MILLIS = 200
/** On a busy machine, a task may take this many times its processor time. */
const MAX_SLOWED = 10
/** Shorter than the interval between two syncs of a mailbox or calendar. */
const IDLE_MILLIS = 30_000

/** Nothing but the folder in which Node keeps what it has compiled: with it, a start takes half the processor time. */
const environment = (): Record<string, string> => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/**
 * `entry` is the source of the thread's module, which answers each message with one. `patience` is the limit per task
 * in milliseconds of processor time, so that a busy machine leaves nothing unread.
 */
export const makeReaderThread = <Task, Answer>(
  entry: URL,
  patience: number,
  idle = IDLE_MILLIS
): LentThread<Task, Answer> => {
  const limits = { resourceLimits: { maxOldGenerationSizeMb: MEGABYTES }, env: environment() }
  const thread = new Supervised<Task, Answer>(() => new Worker(ownModule(entry), limits), idle)
  const read = async (task: Task, handOver: ReadonlyArray<ArrayBuffer>): Promise<Answer | null> => {
    const limit = thread.isRunning ? patience : patience + START_MILLIS
    const exceeded = new AbortController()
    const late = AbortSignal.any([exceeded.signal, AbortSignal.timeout(MAX_SLOWED * limit)])
    let before: number | undefined
    const watch = setInterval(async () => {
      const now = await thread.threadMillis()
      before ??= now
      if (now - before > limit) exceeded.abort()
    }, WATCH_MILLIS)
    try {
      const answer = thread.answer(late)
      thread.post(task, handOver)
      return await answer
    } catch {
      await thread.kill()
      return null
    } finally {
      clearInterval(watch)
      thread.rest()
    }
  }
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    end: () => thread.kill(),
    isIdle: () => waiting === 0,
    read: (task, handOver = []) => {
      waiting++
      const mine = turn.then(() => read(task, handOver)).finally(() => waiting--)
      turn = mine
      return mine
    }
  }
}

/** Threads that wait for their next user, until they have been idle for too long. */
const MAX_RESTING = 4

/**
 * Threads of one kind. Each belongs to one user at a time, so that what keeps it busy delays nobody else, and then to
 * the next, because a thread takes longer to start than to read most sources.
 */
export class ReaderThreads<Task, Answer> {
  readonly #make: () => LentThread<Task, Answer>
  readonly #resting: Array<LentThread<Task, Answer>> = []

  constructor(entry: URL, patience: number) {
    this.#make = () => makeReaderThread(entry, patience)
  }

  async use<A>(work: (reader: ReaderThread<Task, Answer>) => Promise<A>): Promise<A> {
    const reader = this.#take()
    try {
      return await work(reader)
    } finally {
      await this.#giveBack(reader)
    }
  }

  async *stream<A>(work: (reader: ReaderThread<Task, Answer>) => AsyncGenerator<A>): AsyncGenerator<A> {
    const reader = this.#take()
    try {
      yield* work(reader)
    } finally {
      await this.#giveBack(reader)
    }
  }

  #take(): LentThread<Task, Answer> {
    return this.#resting.pop() ?? this.#make()
  }

  async #giveBack(reader: LentThread<Task, Answer>): Promise<void> {
    // A user that fails or is interrupted may leave a task behind.
    if (reader.isIdle() && this.#resting.length < MAX_RESTING) this.#resting.push(reader)
    else await reader.end()
  }
}
