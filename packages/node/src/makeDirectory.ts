/**
 * Makes a directory and those above it. Node's own recursion never ends where a directory cannot be made although the
 * one above it exists, as in /proc.
 */
import { lstatSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Readable for its owner only, if it is not there. */
export const makeDirectory = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "EEXIST" && statSync(path).isDirectory()) return
    const above = dirname(path)
    if (code !== "ENOENT" || lstatSync(above, { throwIfNoEntry: false }) !== undefined) throw error
    makeDirectory(above)
    makeDirectory(path)
  }
}
