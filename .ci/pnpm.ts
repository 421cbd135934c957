import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))

/** Runs the package manager in the version of package.json, with its output on standard error. */
export const pnpm = (args: ReadonlyArray<string>): void => {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const [version] = packageManager.split("+")
  const { status } = spawnSync("npx", ["--yes", version, ...args], { cwd: root, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error(`pnpm ${args.join(" ")} failed`)
}
