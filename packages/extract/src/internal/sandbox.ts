/**
 * Restricts the rights of a process that parses untrusted files, as far as the platform allows.
 *
 * It can read only its own code, cannot write or start processes, and has no environment. Where the system offers user
 * namespaces, it has no network, and where it offers a filter of system calls, a flaw of Node does not give it the
 * network, other processes, or a file to write.
 */
import { execFile } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
// Node 20 has no `findPackageJSON`; asking for it by name would hide the sentence that refuses Node 20.
import * as modules from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { filteredCommand } from "./systemCallFilter.ts"

/** What the system offers. */
export interface Confinement {
  readonly isNetworkless: boolean
  readonly isFiltered: boolean
}

const WITHOUT_NETWORK = ["/usr/bin/unshare", "--user", "--net", "--"]

const withAncestors = (folder: string): ReadonlyArray<string> =>
  folder === dirname(folder) ? [folder] : [folder, ...withAncestors(dirname(folder))]

/** Empty in a bundle, which contains it. */
const coreFolder = (): ReadonlyArray<string> => {
  try {
    return [dirname(realpathSync(modules.findPackageJSON("@tributary/core", import.meta.url)!))]
  } catch {
    return []
  }
}

/** This package, its dependencies in core, and the packages installed beside them. */
const codeFolders = (): ReadonlyArray<string> => {
  const own = dirname(modules.findPackageJSON(import.meta.url)!)
  const installed = withAncestors(own).map((folder) => join(folder, "node_modules")).filter((path) => existsSync(path))
  return [own, ...coreFolder(), ...installed]
}

const works = ([file, ...args]: ReadonlyArray<string>): Promise<boolean> =>
  promisify(execFile)(file!, [...args, process.execPath, "--version"], { env: {} }).then(() => true, () => false)

export const availableConfinement = async (): Promise<Confinement> => {
  const filtered = filteredCommand()
  const [isNetworkless, isFiltered] = await Promise.all([
    works(WITHOUT_NETWORK),
    filtered === null ? false : works(filtered)
  ])
  return { isNetworkless, isFiltered }
}

/** The options of `fork` for these rights; `megabytes` limits its heap. */
export const sandboxed = (megabytes: number, { isFiltered, isNetworkless }: Confinement) => {
  const rights = ["--permission", ...codeFolders().map((folder) => `--allow-fs-read=${folder}/*`)]
  const [execPath, ...execArgv] = [
    ...isNetworkless ? WITHOUT_NETWORK : [],
    // The last step, because the filter forbids the others.
    ...isFiltered ? filteredCommand() ?? [] : [],
    process.execPath,
    ...rights,
    "--no-warnings",
    `--max-old-space-size=${megabytes}`
  ]
  return { env: {}, execPath: execPath!, execArgv }
}
