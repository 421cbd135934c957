/** Which folders are repositories that can be read safely. */
import { lstat, opendir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { FatalFailure } from "@tributary/core/ports/Provider"
import { rootedPath } from "../rootedPath.ts"

const isFolder = (path: string): Promise<boolean> => lstat(path).then((stats) => stats.isDirectory(), () => false)

const isAbsent = (path: string): Promise<boolean> => lstat(path).then(() => false, () => true)

/** Settings that make git read other repositories, run programs, or include other settings. */
const LEADING_ELSEWHERE = /promisor|partialclone|worktreeconfig|\[\s*include/i

/** What git reads of a repository that it fetches from. */
const READ = ["HEAD", "config", "config.worktree", "packed-refs", "shallow", "info", "objects", "refs", "reftable"]

/** Whether it contains only files and folders, recursively: git follows links and blocks on pipes. */
const isPlain = async (path: string): Promise<boolean> => {
  const stats = await lstat(path).catch(() => null)
  if (stats === null || stats.isFile()) return true
  if (!stats.isDirectory()) return false
  const folder = await opendir(path).catch(() => null)
  for await (const entry of folder ?? []) {
    if (!entry.isFile() && !await isPlain(join(path, entry.name))) return false
  }
  return true
}

const refuseLinks = async (directory: string, path: string): Promise<void> => {
  for (const part of READ) {
    if (!await isPlain(join(directory, part))) {
      throw new FatalFailure({ message: `${path} has links in its ${part}, which are not followed.` })
    }
  }
}

interface LocalRepository {
  /** The real path of its git directory. */
  readonly directory: string
  /** Throws if a link was added since it was checked. */
  readonly recheck: () => Promise<void>
}

/** Throws a `SyncFailure`. */
export const localRepository = async (path: string, roots: ReadonlyArray<string>): Promise<LocalRepository> => {
  const folder = await rootedPath(path, roots)
  const directory = await isFolder(join(folder, ".git")) ? join(folder, ".git") : folder
  const parts = await Promise.all(["objects", "refs"].map((name) => isFolder(join(directory, name))))
  if (parts.includes(false)) throw new FatalFailure({ message: `${path} is no git repository.` })
  await refuseLinks(directory, path)
  const configuration = await readFile(join(directory, "config"), "utf8").catch(() => "")
  const elsewhere = LEADING_ELSEWHERE.test(configuration) || !await isAbsent(join(directory, "commondir")) ||
    !await isAbsent(join(directory, "objects/info/alternates"))
  if (elsewhere) throw new FatalFailure({ message: `${path} keeps parts of itself elsewhere, which is not followed.` })
  return { directory, recheck: () => refuseLinks(directory, path) }
}
