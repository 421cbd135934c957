/** Files that get their name when they are complete, and never replace another one. */
import { closeSync, openSync, readdirSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { errorCode } from "./errors.ts"

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === "EPERM"
  }
}

/**
 * Removes what processes that were killed left of the file, also as a database. In a container, all of them may have this
 * one's id.
 */
const removeLeftovers = (path: string): void => {
  const [folder, file] = [dirname(path), basename(path)]
  for (const name of readdirSync(folder)) {
    const [, id] = name.startsWith(file) ? /^\.(\d+)\.partial(?:-journal)?$/.exec(name.slice(file.length)) ?? [] : []
    if (id === undefined || (Number(id) !== process.pid && isAlive(Number(id)))) continue
    rmSync(join(folder, name), { force: true })
  }
}

/** The name of a file until it is complete. */
export const partialName = (path: string): string => {
  try {
    removeLeftovers(path)
  } catch {
    // A folder that cannot be listed, or a leftover of another user: what matters is whether the file can be written.
  }
  return `${path}.${process.pid}.partial`
}

/**
 * Gives a complete file its name. Throws `EEXIST` if there is a file of this name. A link would do it in one step, but
 * FAT and some network file systems have none.
 */
export const renameNew = (from: string, to: string): void => {
  // An empty file takes the name, and the renaming replaces it.
  closeSync(openSync(to, "wx", 0o600))
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
}
