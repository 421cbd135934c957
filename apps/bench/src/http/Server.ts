/** A server in a separate process: sends requests and returns processor times. */
import { type ChildProcess, fork } from "node:child_process"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Pool } from "undici"
import type { Message, Times } from "./child.ts"
import { messageOf } from "./message.ts"
import type { Place, Scenario } from "./scenarios.ts"

const CONNECTIONS = 16

/** The interval in milliseconds at which a process is checked: it is idle if it used less than a twentieth of it. */
const POLL_INTERVAL = 100

/** The maximum wait for an idle process in milliseconds; with steady background work it never becomes idle. */
const IDLE_TIMEOUT = 3_000

/** The maximum duration of one measurement in milliseconds. */
const MAX_DURATION = 10_000

/** The timeout of one request in milliseconds. */
const ANSWER_TIMEOUT = 60_000

const message = async (child: ChildProcess): Promise<Message> => await messageOf(child) as Message

/**
 * Keeps this process awake until it is stopped. Otherwise a slow server would pay for waking it with every response,
 * and a fast one would not.
 */
const stayAwake = (): () => void => {
  let awake = true
  const turn = (): void => {
    if (awake) setImmediate(turn)
  }
  turn()
  return () => {
    awake = false
  }
}

export class Server {
  readonly name: string
  readonly #child: ChildProcess
  readonly #place: Place
  readonly #pool: Pool

  private constructor(name: string, child: ChildProcess, place: Place) {
    this.name = name
    this.#child = child
    this.#place = place
    this.#pool = new Pool(`http://127.0.0.1:${place.port}`, {
      connections: CONNECTIONS,
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT
    })
  }

  /** Starts the module with this name. */
  static async start(name: string, args: ReadonlyArray<string> = []): Promise<Server> {
    const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), args, { execArgv: [] })
    const first = await message(child)
    if (!("place" in first)) throw new Error(`${name} did not say where it listens`)
    return new Server(name, child, first.place)
  }

  async #times(): Promise<Times> {
    this.#child.send("times")
    const answer = await message(this.#child)
    return "cpu" in answer ? answer : { cpu: NaN, index: NaN }
  }

  /** Waits until the background work of earlier requests has ended, up to a timeout. */
  async #idle(): Promise<void> {
    const end = performance.now() + IDLE_TIMEOUT
    for (let { cpu: before } = await this.#times(), since = performance.now(); since < end;) {
      await setTimeout(POLL_INTERVAL)
      const { cpu } = await this.#times()
      const now = performance.now()
      if (cpu - before < (now - since) * 1_000 / 20) return
      before = cpu
      since = now
    }
  }

  async #request({ accept = "*/*", body, key, method, path }: Scenario, number: number): Promise<void> {
    const response = await this.#pool.request({
      method,
      path: path(this.#place),
      headers: { accept, authorization: `Bearer ${key(this.#place)}`, "content-type": "application/json" },
      body: body?.(number) ?? null
    })
    const text = await response.body.text()
    if (response.statusCode !== 200 || text.includes("\"isError\":true")) {
      throw new Error(`${this.name}: ${response.statusCode} ${text.slice(0, 200)}`)
    }
  }

  /** Sends requests, one per connection at a time, up to a timeout. Returns the times of each. */
  async measure(scenario: Scenario, requests = scenario.requests): Promise<Times> {
    await this.#idle()
    const before = await this.#times()
    const end = performance.now() + MAX_DURATION
    let sent = 0
    const send = async (): Promise<void> => {
      while (sent < requests && performance.now() < end) await this.#request(scenario, sent++)
    }
    const rest = stayAwake()
    await Promise.all(Array.from({ length: CONNECTIONS }, send))
    rest()
    const after = await this.#times()
    return { cpu: (after.cpu - before.cpu) / sent, index: (after.index - before.index) / sent }
  }

  async stop(): Promise<void> {
    await this.#pool.close()
    this.#child.disconnect()
  }
}
