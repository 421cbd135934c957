/** Servers on a store, and what tests do to them. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { type Environment, type Run, type RunningServer, startServer, tributary } from "../../serverProcess.ts"
import type { TestStore } from "./stores.ts"

export const ADMIN_TOKEN = "operator-of-the-servers-under-test"

const preload = fileURLToPath(new URL("preload.ts", import.meta.url))

/** Messages of tests to a server, through `preload.ts`. */
export interface Treatment {
  readonly clockOffset?: number
  /** The program, if of another release. */
  readonly main?: string
}

/** When to stop, and a pattern of the statement or write. `3. PATTERN` is its third match. */
export type Moment = `${"before" | "sent" | "answered"} ${string}`

const settingsOf = (store: TestStore): Environment => ({
  ...store.settings,
  TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN,
  TRIBUTARY_LOG_LEVEL: "warn",
  NODE_OPTIONS: `--import ${preload}`
})

const running = new Set<Run>()

export const start = async (store: TestStore, { clockOffset, main }: Treatment = {}): Promise<RunningServer> => {
  const treatment: Environment = clockOffset === undefined ? {} : { TEST_CLOCK_OFFSET: String(clockOffset) }
  const node = await startServer([], { ...settingsOf(store), ...treatment }, "none", { program: main })
  running.add(node)
  return node
}

/** It is killed during background work, possibly before it listens. */
export const startDoomed = (store: TestStore, moment: Moment): Run => {
  const node = tributary(["serve"], { ...settingsOf(store), TRIBUTARY_PORT: "0", TEST_END: `SIGKILL ${moment}` })
  running.add(node)
  return node
}

/** The moments of the next connection, while no other one is pulled: queued, started, first checkpoint stored. */
export const AMID_FIRST_SYNC: Moment = "answered 3. save_sync|^saveState$"

const request = async ({ child }: RunningServer, text: string): Promise<void> => {
  const understood = once(child, "message")
  child.send(text)
  await understood
}

const signalledAt = (signal: "SIGKILL" | "SIGSTOP") => (node: RunningServer, moment: Moment): Promise<void> =>
  request(node, `${signal} ${moment}`)

/** Sets the clock of a running server to as many milliseconds after the right time. */
export const setClock = (node: RunningServer, offset: number): Promise<void> => request(node, `CLOCK ${offset}`)

/** Sets the moment at which a running server is killed. Completes once the server has confirmed it. */
export const diesAt = signalledAt("SIGKILL")

/** The same of a server that is stopped until it gets SIGCONT. */
export const pausesAt = signalledAt("SIGSTOP")

/** As by kill -9; completes once the process has ended. */
export const kill = async (node: Run): Promise<void> => {
  node.child.kill("SIGKILL")
  await node.ended
}

/** Waits until a server has died at the requested moment. */
export const died = async ({ child, ended, output }: Run): Promise<void> => {
  await eventually("it reaches what it is to die at", async () => child.exitCode !== null || child.signalCode !== null)
  await ended
  if (child.signalCode !== "SIGKILL") throw new Error(`it ended by itself: ${output.stderr}`)
}

/** Waits until a server has paused at the requested moment. */
export const paused = ({ child }: RunningServer): Promise<boolean> =>
  eventually("it pauses", async () => execFileSync("ps", ["-o", "state=", "-p", String(child.pid)]).includes("T"))

/** Waits for the end of a file. */
export const killAll = async (): Promise<void> => {
  await Promise.all([...running].map(kill))
}

/** Waits until the condition is true. The error has its name. */
export const eventually = async <A>(
  name: string,
  look: () => Promise<A | undefined | false>,
  seconds = 180
): Promise<A> => {
  for (const until = Date.now() + seconds * 1_000; Date.now() < until;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`not within ${seconds} s: ${name}`)
}
