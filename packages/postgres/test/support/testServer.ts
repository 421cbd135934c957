/** The Postgres of the tests: the one in TEST_DATABASE_URL, else one that the first test starts. */
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { missing } from "../../../../.ci/missing.ts"

type State = { readonly url: string; readonly pid: number } | { readonly failure: string; readonly pid: number }

// All files of one run are children of one process.
const folder = join(tmpdir(), `tributary-postgres-${process.ppid}`)

const read = (): State | undefined => {
  try {
    return JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))
  } catch {
    return undefined
  }
}

/** True for the one that made the folder. */
const isFirst = (): boolean => {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

const started = async (): Promise<State> => {
  const stale = read()
  if (stale !== undefined && "url" in stale) {
    try {
      process.kill(stale.pid, 0)
    } catch {
      // Left behind by an earlier run whose process had the same number.
      rmSync(folder, { recursive: true, force: true })
    }
  }
  if (isFirst()) {
    const script = fileURLToPath(new URL("server.ts", import.meta.url))
    const server = spawn(process.execPath, [script, String(process.ppid), folder], { detached: true, stdio: "ignore" })
    server.unref()
    server.once("exit", (code) => {
      if (read() === undefined) {
        writeFileSync(join(folder, "state.json"), JSON.stringify({ failure: `exit ${code}`, pid: 0 }))
      }
    })
  }
  for (let waited = 0; waited < 150_000; waited += 100) {
    const state = read()
    if (state !== undefined) return state
    await setTimeout(100)
  }
  return { failure: "it did not start within 150 s", pid: 0 }
}

const find = async (): Promise<string | null> => {
  const given = process.env["TEST_DATABASE_URL"]
  if (given !== undefined && given !== "") return given
  const state = await started()
  if ("url" in state) return state.url
  missing(
    "POSTGRES",
    "Postgres",
    `name one in TEST_DATABASE_URL, since the tests' own does not start: ${state.failure}`
  )
  return null
}

/** Null if no server can run; the tests are then skipped. */
export const databaseUrl = await find()
