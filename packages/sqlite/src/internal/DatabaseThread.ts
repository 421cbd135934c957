/**
 * A worker thread that performs named operations on a connection of its own. It starts with the first operation, and
 * again after it failed; it ends when it has been idle for a while, where that is wanted.
 */
import { Worker } from "node:worker_threads"
import type { Arguments, Message, Operations, Reply } from "./messages.ts"
import type { ConnectionOptions } from "./SqliteConnection.ts"

/** SQLite's code of a failed read or write. */
const SQLITE_IOERR = 10

/** An operation that failed. Without a code it is a defect of this package. */
export class OperationFailed extends Error {
  readonly errcode: number | undefined

  constructor({ errcode, message }: { readonly errcode: number | undefined; readonly message: string }) {
    super(message)
    this.errcode = errcode
  }
}

interface ThreadOptions extends ConnectionOptions {
  readonly entry: URL
  /** Never ends by itself when absent. */
  readonly idleMillis?: number
}

export class DatabaseThread<All extends Operations> {
  readonly #options: ThreadOptions
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  run<Name extends keyof All & string>(
    name: Name,
    args: Arguments<All[Name]>,
    resolve: (value: ReturnType<All[Name]>) => void,
    reject: (error: OperationFailed) => void
  ): void {
    clearTimeout(this.#idle)
    const id = ++this.#last
    this.#waiting.set(
      id,
      (reply) =>
        "error" in reply ? reject(new OperationFailed(reply.error)) : resolve(reply.value as ReturnType<All[Name]>)
    )
    // Bytes are moved, not copied: the caller passes a copy.
    const all: ReadonlyArray<unknown> = args
    const bytes = all.flatMap((arg) => arg instanceof Uint8Array ? [arg.buffer as ArrayBuffer] : [])
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, name, args } satisfies Message, bytes)
  }

  #start(): Worker {
    const { entry, idleMillis, ...connection } = this.#options
    const worker = new Worker(entry, {
      workerData: connection satisfies ConnectionOptions,
      // Few of its objects live long.
      resourceLimits: { maxYoungGenerationSizeMb: 8 }
    })
    worker.on("message", (replies: ReadonlyArray<Reply>) => {
      for (const reply of replies) {
        const settle = this.#waiting.get(reply.id)
        this.#waiting.delete(reply.id)
        settle?.(reply)
      }
      if (idleMillis === undefined || this.#waiting.size > 0) return
      clearTimeout(this.#idle)
      this.#idle = setTimeout(() => void this.close(), idleMillis).unref()
    })
    let problem = "the database thread has ended"
    worker.on("error", (error) => {
      problem = String(error)
    })
    worker.on("exit", () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      const abandoned = [...this.#waiting]
      this.#waiting.clear()
      for (const [id, settle] of abandoned) settle({ id, error: { message: problem, errcode: SQLITE_IOERR } })
    })
    return worker
  }

  /** Ends after everything that was asked for. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    if (worker === undefined) return
    if (this.#waiting.size === 0) this.#worker = undefined
    const ended = new Promise((resolve) => worker.once("exit", resolve))
    worker.postMessage({ closes: true } satisfies Message, [])
    await ended
  }
}
