/** A folder that nobody else can put anything into. */
import { lstat, mkdir } from "node:fs/promises"
import { FatalFailure } from "@tributary/core/ports/Provider"

const OTHERS = 0o077

/**
 * Makes the folder unless it is there; throws unless it is this user's, and closed to all others. The one who owns a folder
 * that programs run in decides what they do.
 */
export const ownFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const stats = await lstat(path)
  const isOwn = process.getuid === undefined || stats.uid === process.getuid() && (stats.mode & OTHERS) === 0
  if (stats.isDirectory() && isOwn) return
  throw new FatalFailure({
    message: `The folder for copies of repositories has to be the service's own, with mode 0700: ${path} is not.`
  })
}
