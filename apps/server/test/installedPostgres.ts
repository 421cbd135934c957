/** The host's own Postgres, because its `pg_dump` does not read a newer version. */
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { missing } from "../../../.ci/missing.ts"
import { freePort } from "../../../packages/sources/test/support/programs.ts"
import { eventually } from "./faults/support/nodes.ts"

export interface InstalledPostgres {
  readonly url: string
  /** The folder of `pg_dump`, `psql` and `pg_restore`. */
  readonly programs: string
  close(): Promise<void>
  /** As by kill -9; completes once the process has ended. */
  kill(): Promise<void>
}

const PROGRAMS = ["initdb", "pg_dump", "pg_restore", "postgres", "psql"]

const isRoot = process.getuid?.() === 0

/** Runs a program as the user of Postgres. It ends with this process, even after a crash. */
export const asPostgres = (
  program: string,
  ...args: ReadonlyArray<string>
): readonly [string, ReadonlyArray<string>] => [
  "/usr/bin/setpriv",
  [
    "--pdeathsig=INT",
    ...isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [],
    program,
    ...args
  ]
]

/** Postgres does not run as root. */
const id = (of: "-u" | "-g"): number => Number(execFileSync("id", [of, "postgres"], { encoding: "utf8" }))

/** The arguments of a server on these files. */
export const serving = (data: string, port: number, settings: ReadonlyArray<string>): ReadonlyArray<string> => [
  "-D",
  data,
  `--port=${port}`,
  "--listen-addresses=127.0.0.1",
  "--unix-socket-directories=",
  ...settings.flatMap((setting) => ["-c", setting])
]

interface Wanted {
  /** As `postgres -c` takes them. */
  readonly settings?: ReadonlyArray<string>
  /** Adds files to the database's folder before it starts. */
  readonly prepare?: (data: string) => void
}

/** Null if none is installed: the end of the run reports it, or it fails if one is required. */
export const startInstalledPostgres = async (
  { prepare, settings = [] }: Wanted = {}
): Promise<InstalledPostgres | null> => {
  const programs = globSync("/usr/lib/postgresql/*/bin").findLast((folder) =>
    PROGRAMS.every((name) => existsSync(join(folder, name)))
  )
  if (programs === undefined) {
    missing("TOOLS", "pg_dump beside a Postgres of its version", "apt-get install postgresql")
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), "tributary-installed-"))
  chmodSync(folder, 0o755)
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700 })
  const who = isRoot ? { uid: id("-u"), gid: id("-g") } : {}
  if (isRoot) chownSync(data, who.uid!, who.gid!)
  const made = ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
  execFileSync(join(programs, "initdb"), made, { ...who, cwd: data, stdio: "pipe" })
  prepare?.(data)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const server = spawn(
    ...asPostgres(join(programs, "postgres"), ...serving(data, port, ["fsync=off", ...settings])),
    { cwd: data, stdio: "ignore" }
  )
  const ended = new Promise((resolve) => server.once("exit", resolve))
  const end = async (signal: "SIGINT" | "SIGKILL") => {
    server.kill(signal)
    await ended
  }
  await eventually("Postgres answers", async () => {
    if (server.exitCode !== null) throw new Error(`Postgres ended with ${server.exitCode}`)
    try {
      return execFileSync(join(programs, "psql"), [url, "--command=SELECT 1"], { stdio: "pipe" })
    } catch {
      return false
    }
  })
  return {
    url,
    programs,
    kill: () => end("SIGKILL"),
    close: async () => {
      await end("SIGINT")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
