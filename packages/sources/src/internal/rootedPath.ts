/** Restricts folders that users name to the roots of the operator. */
import { realpath } from "node:fs/promises"
import { isAbsolute, sep } from "node:path"
import { FatalFailure, SourceGone } from "@tributary/core/ports/Provider"

const isInside = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

const existing = (path: string): Promise<string | null> => realpath(path).catch(() => null)

/**
 * The real path of a folder. Throws the same `SyncFailure` for every folder outside the roots, whether or not it
 * exists.
 */
export const rootedPath = async (path: string, roots: ReadonlyArray<string>): Promise<string> => {
  const outside = new FatalFailure({
    message: `${path} is not within the folders that connections may read. ` +
      "The operator of the server lists these in TRIBUTARY_FILE_ROOTS."
  })
  if (!isAbsolute(path) || path.includes("\0")) throw outside
  const realRoots = (await Promise.all(roots.map(existing))).filter((root) => root !== null)
  const real = await existing(path)
  if (real !== null && realRoots.some((root) => isInside(real, root))) return real
  const named = [...roots, ...realRoots].some((root) => isInside(path, root)) && !path.split(sep).includes("..")
  throw real === null && named ? new SourceGone({ message: `${path} does not exist.` }) : outside
}
