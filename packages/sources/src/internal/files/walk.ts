/** All files of a tree, in an order that does not change. Links are not followed. */
import type { BigIntStats } from "node:fs"
import { lstat, readdir, realpath } from "node:fs/promises"
import { join } from "node:path"

export type Found =
  /** `path` is relative, with slashes. */
  | { readonly _tag: "File"; readonly path: string; readonly stats: BigIntStats }
  /** What stands below is unknown. */
  | { readonly _tag: "Closed"; readonly path: string }

const bySegments = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    if (one[at]! !== other[at]!) return one[at]! < other[at]! ? -1 : 1
  }
  return one.length - other.length
}

/** Of two relative paths, as they are walked. */
export const inWalkOrder = (one: string, other: string): number => bySegments(one.split("/"), other.split("/"))

const isAbsence = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Of a folder that was not exchanged for a link meanwhile; null when it is gone. Its names alone are held, as it may have many. */
const namesIn = async (folder: string) => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
    const names = entries.filter((entry) => entry.isFile() || entry.isDirectory()).map(({ name }) => name).sort()
    return await realpath(folder) === folder ? { folders, names } : null
  } catch (error) {
    return isAbsence(error) ? null : "closed"
  }
}

/** `root` is a real path; `ignores` is asked about relative paths, with a slash behind those of folders. */
export async function* walk(
  root: string,
  ignores: (path: string) => boolean,
  signal: AbortSignal,
  at = ""
): AsyncGenerator<Found> {
  signal.throwIfAborted()
  const found = await namesIn(join(root, at))
  if (found === "closed") yield { _tag: "Closed", path: at }
  if (found === "closed" || found === null) return
  for (const name of found.names) {
    const path = at === "" ? name : `${at}/${name}`
    if (found.folders.has(name)) {
      if (!ignores(`${path}/`)) yield* walk(root, ignores, signal, path)
    } else if (!ignores(path)) {
      const stats = await lstat(join(root, path), { bigint: true }).catch(() => null)
      if (stats?.isFile()) yield { _tag: "File", path, stats }
    }
  }
}
