/**
 * Whether an open file is the one at its path, and not one behind a temporary link.
 *
 * Without links every path is its own real path. But somebody with write access could swap a folder for a link and back
 * between two calls, so the path of the open descriptor is compared.
 */
import { existsSync } from "node:fs"
import { type FileHandle, readlink, realpath, stat } from "node:fs/promises"

const HELD = "/proc/self/fd"
const hasDescriptorPaths = existsSync(HELD)

/** A path to the open file through its descriptor, which nobody can exchange; null if the system has none. */
export const descriptorPath = ({ fd }: FileHandle): string | null => hasDescriptorPaths ? `${HELD}/${fd}` : null

/** `path` is a real path. */
export const isOpenAtPath = async (handle: FileHandle, path: string): Promise<boolean> => {
  const held = descriptorPath(handle)
  if (held !== null) return await readlink(held) === path
  if (await realpath(path) !== path) return false
  const [own, named] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })])
  return own.ino === named.ino && own.dev === named.dev
}
