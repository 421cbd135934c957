/** The real server as a child process, controlled from outside: by its arguments, its environment, signals and HTTP. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { dirname, join } from "node:path"
import { inject, onTestFinished } from "vitest"
import type { BundledServer } from "../../../.ci/bundled-server.ts"
import { tied } from "../../../packages/sources/test/support/programs.ts"

export const main: BundledServer = inject("server")

/** The caller's own settings are removed. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:TRIBUTARY_|OTEL_|DATABASE_URL$)/.test(name))
  )

export type Environment = Readonly<Record<string, string>>

/** The compile cache of the bundle, which is deleted with it. */
export const COMPILE_CACHE: Environment = { NODE_COMPILE_CACHE: join(dirname(main), "compiled") }

export interface Run {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>
}

/** Root ignores file permissions, unless the process drops its rights. */
const WITHOUT_RIGHTS = ["/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all"]

interface Started {
  readonly mayReadAll?: boolean
  /** The program, if of another release. */
  readonly program?: string | undefined
}

export const tributary = (
  args: ReadonlyArray<string>,
  settings: Environment = {},
  { mayReadAll = true, program: started = main }: Started = {}
): Run => {
  const words = [process.execPath, started, ...args]
  const [program = "", ...rest] = mayReadAll || process.getuid?.() !== 0 ? words : [...WITHOUT_RIGHTS, ...words]
  const child = spawn(...tied("KILL", program, rest), {
    env: { ...cleanEnvironment(), ...COMPILE_CACHE, ...settings },
    // Some tests send a server messages on the last one.
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  const output = { stdout: "", stderr: "" }
  child.stdout!.setEncoding("utf8").on("data", (text: string) => output.stdout += text)
  child.stderr!.setEncoding("utf8").on("data", (text: string) => output.stderr += text)
  return { child, output, ended: once(child, "close").then(([code]) => code as number | null) }
}

/** Runs a command to its end. */
export const command = async (args: ReadonlyArray<string>, settings: Environment = {}) => {
  const run = tributary(args, settings)
  const code = await run.ended
  return { code, ...run.output }
}

export interface RunningServer extends Run {
  readonly url: string
  readonly key: string
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<number | null>
}

export const IN_MEMORY: Environment = { TRIBUTARY_STORAGE: "memory" }

const namesStorage = (settings: Environment): boolean =>
  "TRIBUTARY_STORAGE" in settings || "TRIBUTARY_DATABASE_URL" in settings

/**
 * A server on a free port, once it has printed its address: on a first start with a key, later without. It stores
 * everything in memory unless the settings name a storage.
 */
export const startServer = async (
  flags: ReadonlyArray<string> = [],
  settings: Environment = {},
  knownKey?: string,
  started?: Started
): Promise<RunningServer> => {
  const run = tributary(["serve", ...flags], {
    TRIBUTARY_PORT: "0",
    ...namesStorage(settings) ? {} : IN_MEMORY,
    ...settings
  }, started)
  const { promise: printed, resolve } = Promise.withResolvers<void>()
  run.child.stdout!.on("data", () => {
    if (/listens on/.test(run.output.stdout) && run.output.stdout.endsWith("\n\n")) resolve()
  })
  await Promise.race([printed, run.ended])
  const url = /listens on (\S+)/.exec(run.output.stdout)?.[1]
  const key = /pk_live_\w+/.exec(run.output.stdout)?.[0] ?? knownKey
  if (url === undefined || key === undefined) throw new Error(`no banner: ${run.output.stdout}${run.output.stderr}`)
  return {
    ...run,
    url,
    key,
    stop: () => {
      run.child.kill("SIGTERM")
      return run.ended
    }
  }
}

/** A server that is killed at the end of the test. */
export const serve = async (settings: Environment, key?: string): Promise<RunningServer> => {
  const server = await startServer([], settings, key)
  onTestFinished(() => void server.child.kill("SIGKILL"))
  return server
}

export const api = async <A>(
  { key, url }: Pick<RunningServer, "key" | "url">,
  method: string,
  path: string,
  body?: unknown
): Promise<A> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return await response.json() as A
}
