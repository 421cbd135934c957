/** Brings files to the disk that were written without asking it. */
import { closeSync, fsyncSync, openSync, readdirSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"

// Windows opens no directories, and keeps their names by itself.
const isAsked = process.platform !== "win32"

/** So many at a time: the disk brings them down together. */
const together = 16

/** A file, or the names in a directory. */
export const syncPath = (path: string): void => {
  if (!isAsked) return
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const syncInTurn = async (paths: Array<string>): Promise<void> => {
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const file = await open(path, "r")
    await file.sync().finally(() => file.close())
  }
}

/** A directory with everything below it. */
export const syncTree = async (directory: string): Promise<void> => {
  if (!isAsked) return
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => join(directory, name))
  await Promise.all(Array.from({ length: together }, () => syncInTurn(paths)))
  syncPath(directory)
}
