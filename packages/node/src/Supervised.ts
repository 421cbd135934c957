/**
 * A supervised thread or process. It starts with the first message, and again with the next one after it ended. While
 * idle it does not keep the host's process alive, and after a while it is ended.
 */
import { ChildProcess } from "node:child_process"
import { EventEmitter, once } from "node:events"
import type { Transferable, Worker } from "node:worker_threads"

type Child = Worker | ChildProcess

/**
 * A process that ends before its first message restarts after a pause, from the second time on, which doubles each
 * time.
 */
const PAUSE_MILLIS = 50
const MAX_PAUSE_MILLIS = 1_000

interface Events<Answer> {
  readonly message: [answer: Answer]
  /** It has ended. */
  readonly error: [reason: Error]
}

export class Supervised<Message, Answer> extends EventEmitter<Events<Answer>> {
  readonly #spawn: () => Child
  readonly #idleMillis: number
  #child: Child | undefined
  #failures = 0
  #unsent: Array<readonly [Message, ReadonlyArray<Transferable>]> = []
  #pause: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(spawn: () => Child, idleMillis: number) {
    super()
    this.#spawn = spawn
    this.#idleMillis = idleMillis
  }

  get isRunning(): boolean {
    return this.#child !== undefined
  }

  get pid(): number | undefined {
    return this.#child instanceof ChildProcess ? this.#child.pid : undefined
  }

  /** Milliseconds of processor time of a thread, or of time if the runtime reports no other; zero if it is starting. */
  async threadMillis(): Promise<number> {
    const thread = this.#child
    // Before Node 24.6 it does not exist.
    if (thread === undefined || !("cpuUsage" in thread)) return performance.now()
    const { system, user } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }))
    return (user + system) / 1_000
  }

  /** The next one. Rejects with the reason if it ends first, or with that of the signal. */
  async answer(signal?: AbortSignal): Promise<Answer> {
    const [answer] = await once(this, "message", signal === undefined ? {} : { signal })
    return answer as Answer
  }

  post(message: Message, moved: ReadonlyArray<Transferable> = []): void {
    this.#unsent.push([message, moved])
    this.start()
  }

  start(): void {
    clearTimeout(this.#idle)
    if (this.#pause !== undefined) return
    const pause = this.#failures < 2 ? 0 : Math.min(PAUSE_MILLIS * 2 ** (this.#failures - 2), MAX_PAUSE_MILLIS)
    if (this.#child !== undefined || pause === 0) return this.#send()
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      this.#send()
    }, pause)
  }

  /** There is nothing to do for now. */
  rest(): void {
    clearTimeout(this.#idle)
    this.#refer("unref")
    this.#idle = setTimeout(() => void this.kill(), this.#idleMillis).unref()
  }

  async kill(): Promise<void> {
    clearTimeout(this.#idle)
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#unsent = []
    const child = this.#child
    if (child === undefined) return
    // Nothing else may keep the host's process alive until then.
    child.ref()
    this.#failures = 0
    const exited = new Promise((resolve) => child.once("exit", resolve))
    this.#ended(child, new Error("it was ended"))
    if (child instanceof ChildProcess) child.kill("SIGKILL")
    else void child.terminate()
    await exited
  }

  #send(): void {
    const child = this.#child ??= this.#begin()
    this.#refer("ref")
    for (const [message, moved] of this.#unsent.splice(0)) {
      if (child instanceof ChildProcess) child.send(message as object)
      else child.postMessage(message, moved)
    }
  }

  #begin(): Child {
    const child: Child = this.#spawn()
    let reason: Error | undefined
    this.#failures++
    child.on("message", (answer: Answer) => {
      this.#failures = 0
      if (this.#child === child) this.emit("message", answer)
    })
    child.on("error", (error: Error) => {
      reason = error
      // A process that failed to start emits no exit event.
      if (child instanceof ChildProcess && child.pid === undefined) this.#ended(child, error)
    })
    child.on(
      "exit",
      (code: unknown, signal?: unknown) => this.#ended(child, reason ?? new Error(`it ended (${code ?? signal})`))
    )
    return child
  }

  #ended(child: Child, reason: Error): void {
    if (this.#child !== child) return
    this.#child = undefined
    clearTimeout(this.#idle)
    if (this.listenerCount("error") > 0) this.emit("error", reason)
  }

  #refer(kind: "ref" | "unref"): void {
    this.#child?.[kind]()
    if (this.#child instanceof ChildProcess) this.#child.channel?.[kind]()
  }
}
