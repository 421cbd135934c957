/**
 * A lock on a file inside the data directory, for one process. The operating system releases it when the process ends.
 * Node has no API for this, so SQLite takes the lock, on a separate empty database.
 */
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"

const SQLITE_BUSY = 5

/** Frees the lock; undefined when another process has it. */
export const lockDirectory = (directory: string): (() => void) | undefined => {
  // Loaded here, because older versions of Node print a warning as soon as the module is imported.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  const path = join(directory, "lock")
  closeSync(openSync(path, "a", 0o600))
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return () => database.close()
  } catch (error) {
    database.close()
    if (((error as { readonly errcode?: number }).errcode ?? 0) === SQLITE_BUSY) return undefined
    throw error
  }
}
