/** Brings files to the disk that were written without asking it. */
import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** A file, or the names in a directory. */
export const syncPath = (path: string): void => {
  // Windows opens no directories, and keeps their names by itself.
  if (process.platform === "win32") return
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A directory with everything below it. */
export const syncTree = (directory: string): void => {
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) syncPath(join(directory, name))
  syncPath(directory)
}
