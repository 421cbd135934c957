/** The service before the newest Postgres migration, from the history of this repository. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { missing } from "../../../../../.ci/missing.ts"

const root = fileURLToPath(new URL("../../../../..", import.meta.url))

const MAIN = "apps/server/src/main.ts"

export interface ReleaseBefore {
  /** Its program. */
  readonly main: string
  remove(): void
}

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", root, "-c", "safe.directory=*", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"]
  }).trim()

/** In a shallow clone, a commit may have no parent here. */
const commitBefore = (): string => {
  const newest = git("log", "-1", "--format=%H", "--diff-filter=A", "--", "packages/postgres/src/migrations")
  return git("rev-parse", "--verify", `${newest}^`)
}

/** In a new folder, installed as by `npm run tributary`. Null if it is not available. */
export const fetchReleaseBefore = (): ReleaseBefore | null => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-before-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  let step = "the history of this repository is not here: git fetch --unshallow"
  try {
    const commit = commitBefore()
    const packed = join(folder, "packed.tar")
    git("archive", `--output=${packed}`, commit)
    execFileSync("tar", ["-xf", packed, "-C", folder])
    step = "it cannot be installed from the npm registry"
    execFileSync(process.execPath, [".ci/bootstrap.mjs", "--server", MAIN, "help"], { cwd: folder, stdio: "pipe" })
    return { main: join(folder, MAIN), remove }
  } catch (error) {
    remove()
    missing("TOOLS", "the release before", `${step} (${String(error).split("\n")[0]})`)
    return null
  }
}
