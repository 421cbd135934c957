/** A Postgres of the host's own packages: of the same version as its `pg_dump`, which reads none that is newer. */
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../../../packages/sources/test/support/programs.ts"
import { eventually } from "./faults/support/nodes.ts"

export interface InstalledPostgres {
  readonly url: string
  /** Where `pg_dump`, `psql` and `pg_restore` are. */
  readonly programs: string
  close(): Promise<void>
}

const PROGRAMS = ["initdb", "pg_dump", "pg_restore", "postgres", "psql"]

const isRoot = process.getuid?.() === 0

/** Postgres does not run as root. */
const id = (of: "-u" | "-g"): number => Number(execFileSync("id", [of, "postgres"], { encoding: "utf8" }))

interface Wanted {
  /** As `postgres -c` takes them. */
  readonly settings?: ReadonlyArray<string>
  /** Puts files beside the database's, before it starts. */
  readonly prepare?: (data: string) => void
}

/** Null where none is installed: it is said loudly, or fails where one is required. */
export const startInstalledPostgres = async (
  { prepare, settings = [] }: Wanted = {}
): Promise<InstalledPostgres | null> => {
  const programs = globSync("/usr/lib/postgresql/*/bin").findLast((folder) =>
    PROGRAMS.every((name) => existsSync(join(folder, name)))
  )
  if (programs === undefined) {
    const message =
      "NO pg_dump BESIDE A SERVER OF ITS VERSION: backups are not made. Install: apt-get install postgresql"
    if (process.env["TRIBUTARY_REQUIRE_TOOLS"] === "1") throw new Error(message)
    process.stderr.write(`\n${"!".repeat(100)}\n${message}\n${"!".repeat(100)}\n`)
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
  // It ends with this process, however that ends.
  const server = spawn("/usr/bin/setpriv", [
    "--pdeathsig=INT",
    ...isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [],
    join(programs, "postgres"),
    "-D",
    data,
    `--port=${port}`,
    "--listen-addresses=127.0.0.1",
    "--unix-socket-directories=",
    "--fsync=off",
    ...settings.flatMap((setting) => ["-c", setting])
  ], { cwd: data, stdio: "ignore" })
  const ended = new Promise((resolve) => server.once("exit", resolve))
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
    close: async () => {
      server.kill("SIGINT")
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
