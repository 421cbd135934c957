/** A worker thread that performs named operations on its own connection, several at a time. */
import { Worker } from "node:worker_threads"
import { Supervised } from "@tributary/node/Supervised"
import type { Arguments, Message, Operations, Reply } from "./messages.ts"
import type { ConnectionOptions } from "./SqliteConnection.ts"
import { IOERR } from "./resultCodes.ts"

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
  /** Without it, the thread does not end while idle. */
  readonly idleMillis?: number
}

export class DatabaseThread<All extends Operations> {
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  readonly #thread: Supervised<Message, ReadonlyArray<Reply>>
  #last = 0

  constructor({ entry, idleMillis, ...workerData }: ThreadOptions) {
    // Few of its objects live long.
    const options = { workerData, resourceLimits: { maxYoungGenerationSizeMb: 8 } }
    this.#thread = new Supervised(() => new Worker(entry, options), idleMillis ?? 0)
    this.#thread.on("message", (replies) => {
      for (const reply of replies) this.#settle(reply)
      if (idleMillis !== undefined && this.#waiting.size === 0) this.#thread.rest()
    })
    this.#thread.on("error", ({ message }) => {
      for (const id of this.#waiting.keys()) this.#settle({ id, error: { message, errcode: IOERR } })
    })
  }

  #settle(reply: Reply): void {
    const settle = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    settle?.(reply)
  }

  run<Name extends keyof All & string>(
    name: Name,
    args: Arguments<All[Name]>,
    resolve: (value: ReturnType<All[Name]>) => void,
    reject: (error: OperationFailed) => void
  ): void {
    const id = ++this.#last
    this.#waiting.set(
      id,
      (reply) =>
        "error" in reply ? reject(new OperationFailed(reply.error)) : resolve(reply.value as ReturnType<All[Name]>)
    )
    // Bytes are moved, not copied: the caller passes a copy.
    const all: ReadonlyArray<unknown> = args
    const bytes = all.flatMap((arg) => arg instanceof Uint8Array ? [arg.buffer as ArrayBuffer] : [])
    this.#thread.post({ id, name, args }, bytes)
  }

  /** Ends after all pending operations. */
  async close(): Promise<void> {
    if (!this.#thread.isRunning) return
    const id = ++this.#last
    const closed = new Promise<void>((resolve) => this.#waiting.set(id, () => resolve()))
    this.#thread.post({ id, closes: true })
    await closed
    await this.#thread.kill()
  }
}
