/** A small file that is complete or absent, whenever the power fails. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const syncNames = (directory: string): void => {
  // Windows cannot open directories, and syncs their entries itself.
  if (process.platform === "win32") return
  const names = openSync(directory, "r")
  try {
    fsyncSync(names)
  } finally {
    closeSync(names)
  }
}

/** Readable for its owner only. It is written under a name that ends in `.new` first. */
export const writeDurably = (directory: string, name: string, text: string): void => {
  const path = join(directory, name)
  try {
    writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  } catch (error) {
    rmSync(`${path}.new`, { force: true })
    throw error
  }
  syncNames(directory)
}
