/** A server in a process of its own, seen from the bench: requests go in, processor time comes back. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Pool } from "undici"
import type { Message } from "./child.ts"
import type { Place, Scenario } from "./scenarios.ts"

const CONNECTIONS = 16

/** Milliseconds in which a process that has nothing to do uses less than a twentieth of them. */
const QUIET = 100

const message = (child: ChildProcess): Promise<Message> => {
  const done = new AbortController()
  const ended = once(child, "exit", done).then(([code]) => {
    throw new Error(`a server ended with ${code}`)
  })
  const received = once(child, "message", done).then(([value]) => value as Message)
  return Promise.race([received, ended]).finally(() => done.abort())
}

/**
 * Keeps this process from sleeping until it is stopped. A server that answers more slowly than it is asked would otherwise pay
 * for waking it with every answer, and a quicker one would not.
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
    this.#pool = new Pool(`http://127.0.0.1:${place.port}`, { connections: CONNECTIONS })
  }

  /** Starts the module of that name. */
  static async start(name: string): Promise<Server> {
    const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), { execArgv: [] })
    const first = await message(child)
    if (!("place" in first)) throw new Error(`${name} did not say where it listens`)
    return new Server(name, child, first.place)
  }

  async #cpu(): Promise<number> {
    this.#child.send("cpu")
    const answer = await message(this.#child)
    return "cpu" in answer ? answer.cpu : NaN
  }

  /** Waits until what earlier requests left to do in the background is done. */
  async #idle(): Promise<void> {
    for (let before = await this.#cpu();;) {
      await setTimeout(QUIET)
      const now = await this.#cpu()
      if (now - before < QUIET * 50) return
      before = now
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

  /** Sends requests, as many at a time as there are connections; gives microseconds for each. */
  async measure(scenario: Scenario, requests = scenario.requests): Promise<number> {
    await this.#idle()
    const before = await this.#cpu()
    let sent = 0
    const send = async (): Promise<void> => {
      while (sent < requests) await this.#request(scenario, sent++)
    }
    const rest = stayAwake()
    await Promise.all(Array.from({ length: CONNECTIONS }, send))
    rest()
    return (await this.#cpu() - before) / requests
  }

  async stop(): Promise<void> {
    await this.#pool.close()
    this.#child.disconnect()
  }
}
