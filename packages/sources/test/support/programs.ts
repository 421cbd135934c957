/** The servers of others that tests start on loopback. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const PLACES = ["/usr/sbin", "/usr/bin", "/usr/lib/dovecot", "/usr/lib/git-core"]

export const programPath = (name: string): string | null =>
  PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? null

const SETPRIV = "/usr/bin/setpriv"

/** A command that ends with the process that starts it, however that ends, where the system can do so. */
export const tied = (
  signal: "TERM" | "INT" | "KILL",
  program: string,
  args: ReadonlyArray<string>
): readonly [string, ReadonlyArray<string>] =>
  existsSync(SETPRIV) ? [SETPRIV, [`--pdeathsig=${signal}`, program, ...args]] : [program, args]

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "tributary-sources-"))

const given = new Set<number>()

/** Lower than the ports that the system gives away itself, so that nobody gets it before the program that is to. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(10_000, 32_000)
  // A program that listens twice is given both before it starts.
  if (given.has(port)) return freePort()
  given.add(port)
  const server = createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
  } catch {
    return freePort()
  }
  server.close()
  await once(server, "close")
  return port
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

export interface Running {
  readonly port: number
  readonly folder: string
  readonly stop: () => Promise<void>
}

export const started = async (child: ChildProcess, port: number, folder: string): Promise<Running> => {
  const said: Array<string> = []
  child.stderr?.on("data", (part) => said.push(String(part)))
  const deadline = Date.now() + 120_000
  while (!await answers(port)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${child.spawnargs.join(" ")}: ${said.join("")}`)
    }
    await pause(20)
  }
  return {
    port,
    folder,
    stop: async () => {
      if (child.exitCode === null) {
        const gone = once(child, "exit")
        child.kill("SIGTERM")
        await gone
      }
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export const run = (
  program: string,
  args: ReadonlyArray<string>,
  options: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {}
): string => execFileSync(program, args, { encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], ...options })

export const start = (program: string, args: ReadonlyArray<string>, env: Record<string, string> = {}): ChildProcess =>
  spawn(...tied("TERM", programPath(program)!, args), {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], ...env }
  })
