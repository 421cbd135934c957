/** Gives a complete file its name, unless that is taken. A link would do it in one step, but FAT and some network file systems have none. */
import { closeSync, openSync, renameSync, rmSync } from "node:fs"

/** Throws `EEXIST` if there is a file of this name. */
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
