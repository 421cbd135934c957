/**
 * Restricts the rights of a process that parses untrusted files, as far as the platform allows.
 *
 * It can read only its own code, cannot write or start processes, and has no environment. Where the system offers user
 * namespaces, it has no network either.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
// Node 20 has no `findPackageJSON`; asking for it by name would hide the sentence that refuses Node 20.
import * as modules from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"

const UNSHARE = "/usr/bin/unshare"
const WITHOUT_NETWORK = ["--user", "--net", "--"]

const packageOf = (url: string): string => dirname(modules.findPackageJSON(url) ?? fileURLToPath(url))

const withAncestors = (folder: string): ReadonlyArray<string> =>
  folder === dirname(folder) ? [folder] : [folder, ...withAncestors(dirname(folder))]

/** This package, its dependencies in core, and the packages installed beside them. */
const codeFolders = (): ReadonlyArray<string> => {
  const own = packageOf(import.meta.url)
  const core = modules.createRequire(import.meta.url).resolve("@tributary/core/labelledStrings")
  const installed = withAncestors(own).map((folder) => join(folder, "node_modules")).filter((path) => existsSync(path))
  return [own, packageOf(pathToFileURL(core).href), ...installed]
}

/** Whether a process can be denied the network here. */
export const canDisableNetwork = (): Promise<boolean> =>
  promisify(execFile)(UNSHARE, [...WITHOUT_NETWORK, process.execPath, "--version"], { env: {} }).then(
    () => true,
    () => false
  )

/** The options of `fork` for these rights; `megabytes` limits its heap. */
export const sandboxed = (
  { megabytes, networkless }: { readonly megabytes: number; readonly networkless: boolean }
) => {
  const rights = ["--permission", ...codeFolders().map((folder) => `--allow-fs-read=${folder}/*`)]
  const execArgv = [...rights, "--no-warnings", `--max-old-space-size=${megabytes}`]
  return networkless
    ? { env: {}, execPath: UNSHARE, execArgv: [...WITHOUT_NETWORK, process.execPath, ...execArgv] }
    : { env: {}, execPath: process.execPath, execArgv }
}
