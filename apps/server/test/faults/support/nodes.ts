/** Servers on a store, with what the tests do to them. */
import { fileURLToPath } from "node:url"
import { type Environment, type RunningServer, startServer } from "../../serverProcess.ts"
import type { TestStore } from "./stores.ts"

export const ADMIN_TOKEN = "operator-of-the-servers-under-test"

const preload = fileURLToPath(new URL("preload.ts", import.meta.url))

/** What tests tell a server through `preload.ts`. */
export interface Treatment {
  readonly die?: `${"before" | "sent" | "answered"} ${string}`
  readonly clockOffset?: number
}

export const treated = ({ clockOffset, die }: Treatment): Environment => ({
  NODE_OPTIONS: `--import ${preload}`,
  ...(clockOffset === undefined ? {} : { TEST_CLOCK_OFFSET: String(clockOffset) }),
  ...(die === undefined ? {} : { TEST_DIE: die })
})

const running = new Set<RunningServer>()

export const start = async (store: TestStore, treatment: Treatment = {}): Promise<RunningServer> => {
  const settings = { ...store.settings, TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN, TRIBUTARY_LOG_LEVEL: "warn" }
  const node = await startServer([], { ...settings, ...treated(treatment) }, "none")
  running.add(node)
  return node
}

/** As by kill -9; ends once the process is gone. */
export const kill = async (node: RunningServer): Promise<void> => {
  node.child.kill("SIGKILL")
  await node.ended
}

/** A server that was told to die has done so. */
export const died = async ({ child, ended, output }: RunningServer): Promise<void> => {
  await eventually("it reaches what it is to die at", async () => child.exitCode !== null || child.signalCode !== null)
  await ended
  if (child.signalCode !== "SIGKILL") throw new Error(`it ended by itself: ${output.stderr}`)
}

/** For the end of a file. */
export const killAll = async (): Promise<void> => {
  await Promise.all([...running].map(kill))
}

/** The condition holds soon; else what it is called is the error. */
export const eventually = async <A>(
  name: string,
  look: () => Promise<A | undefined | false>,
  seconds = 60
): Promise<A> => {
  for (const until = Date.now() + seconds * 1_000; Date.now() < until;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`not within ${seconds} s: ${name}`)
}
