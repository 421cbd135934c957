/** Which folders are repositories that can be read without doing what they say. */
import { lstat, readFile } from "node:fs/promises"
import { join } from "node:path"
import { FatalFailure } from "@tributary/core/ports/Provider"
import { rootedPath } from "../rootedPath.ts"

const isFolder = (path: string): Promise<boolean> => lstat(path).then((stats) => stats.isDirectory(), () => false)

const isAbsent = (path: string): Promise<boolean> => lstat(path).then(() => false, () => true)

/** Settings by which git reads other repositories, runs programs of theirs, or reads settings from elsewhere. */
const LEADING_ELSEWHERE = /promisor|partialclone|worktreeconfig|\[\s*include/i

/** The real path of its git directory. Throws `SyncFailure`s. */
export const localRepository = async (path: string, roots: ReadonlyArray<string>): Promise<string> => {
  const folder = await rootedPath(path, roots)
  const directory = await isFolder(join(folder, ".git")) ? join(folder, ".git") : folder
  const parts = await Promise.all(["objects", "refs"].map((name) => isFolder(join(directory, name))))
  if (parts.includes(false)) throw new FatalFailure({ message: `${path} is no git repository.` })
  const configuration = await readFile(join(directory, "config"), "utf8").catch(() => "")
  const elsewhere = LEADING_ELSEWHERE.test(configuration) || !await isAbsent(join(directory, "commondir")) ||
    !await isAbsent(join(directory, "objects/info/alternates"))
  if (elsewhere) throw new FatalFailure({ message: `${path} keeps parts of itself elsewhere, which is not followed.` })
  return directory
}
