/**
 * Whether what is open is what stands at a path, and nothing behind a link that was there for a moment.
 *
 * In a tree whose links are not followed, every path is its own real path; but the one who may write to the tree can exchange
 * a folder for a link, and back, from one question to the next. So what is held is asked where it stands.
 */
import { existsSync } from "node:fs"
import { type FileHandle, readlink, realpath, stat } from "node:fs/promises"

const HELD = "/proc/self/fd"
const isTold = existsSync(HELD)

/** The same thing by another name, which nobody can exchange; null where the system has none. */
export const heldPath = ({ fd }: FileHandle): string | null => isTold ? `${HELD}/${fd}` : null

/** `path` is a real path. */
export const standsAt = async (handle: FileHandle, path: string): Promise<boolean> => {
  const held = heldPath(handle)
  if (held !== null) return await readlink(held) === path
  if (await realpath(path) !== path) return false
  const [own, named] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })])
  return own.ino === named.ino && own.dev === named.dev
}
