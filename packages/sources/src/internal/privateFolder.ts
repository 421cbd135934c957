/** A folder that no other user can write to. */
import { lstat } from "node:fs/promises"
import { FatalFailure } from "@tributary/core/ports/Provider"
import { makeDirectory } from "@tributary/node/makeDirectory"

const OTHERS = 0o077

/**
 * Creates the folder unless it exists. Throws unless this user owns it and nobody else has access, because the owner of
 * a folder in which programs run controls them.
 */
export const privateFolder = async (path: string): Promise<void> => {
  makeDirectory(path)
  const stats = await lstat(path)
  const isOwn = process.getuid === undefined || stats.uid === process.getuid() && (stats.mode & OTHERS) === 0
  if (stats.isDirectory() && isOwn) return
  throw new FatalFailure({
    message: `The folder for copies of repositories has to be the service's own, with mode 0700: ${path} is not.`
  })
}
