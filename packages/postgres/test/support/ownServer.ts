/** A Postgres for one file of tests alone, which may stop it and start it again. */
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { missing } from "../../../../.ci/missing.ts"

export interface OwnServer {
  readonly url: string
  isRunning(): boolean
  /** SIGINT ends sessions and stops; SIGQUIT is a crash, with nothing written down. */
  stop(signal: "SIGINT" | "SIGQUIT"): Promise<void>
  start(): Promise<void>
  close(): void
}

const waitFor = async (name: string, holds: () => boolean): Promise<void> => {
  for (let waited = 0; !holds(); waited += 50) {
    if (waited > 150_000) throw new Error(`not within 150 s: ${name}`)
    await setTimeout(50)
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Its files are in a new folder within the given one, its programs in the given package. Null if no server can run: the end of the run says so, or fails where one is required. */
export const startOwnServer = async (
  { programs, within = tmpdir() }: { readonly within?: string; readonly programs?: string } = {}
): Promise<OwnServer | null> => {
  const folder = mkdtempSync(join(within, "tributary-postgres-own-"))
  // Postgres runs as a user of its own when the tests run as root.
  chmodSync(folder, 0o755)
  const script = fileURLToPath(new URL("server.ts", import.meta.url))
  const args = [script, String(process.pid), folder, ...programs === undefined ? [] : [programs]]
  spawn(process.execPath, args, { detached: true, stdio: "ignore" }).unref()
  const stateFile = join(folder, "state.json")
  await waitFor("Postgres has started, or has said why not", () => existsSync(stateFile))
  const { failure, url } = JSON.parse(readFileSync(stateFile, "utf8")) as { failure?: string; url?: string }
  // The script notices that the folder is deleted, and ends with its server.
  const close = () => rmSync(folder, { recursive: true, force: true })
  if (url === undefined) {
    close()
    missing("POSTGRES", "a Postgres that may be stopped", `the tests' own does not start: ${failure}`)
    return null
  }
  const pidFile = join(folder, "data", "postmaster.pid")
  const pid = () => Number(readFileSync(pidFile, "utf8").split("\n")[0])
  return {
    url,
    isRunning: () => existsSync(pidFile) && isAlive(pid()),
    stop: async (signal) => {
      const stopped = pid()
      process.kill(stopped, signal)
      await waitFor("Postgres has stopped", () => !isAlive(stopped))
    },
    start: async () => {
      const asked = join(folder, "start")
      writeFileSync(asked, "")
      await waitFor("Postgres is back", () => !existsSync(asked))
    },
    close
  }
}
