/** All files of a folder and its subfolders, in a stable order. Links are not followed. */
import { type BigIntStats, constants } from "node:fs"
import { lstat, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import { fingerprint } from "../fingerprints.ts"
import { descriptorPath, isOpenAtPath } from "./isOpenAtPath.ts"

export type WalkEntry =
  /**
   * `path` is relative, with slashes. `movedMs` is the last time at which the file or a folder that contains it may have
   * been put there.
   */
  | { readonly _tag: "File"; readonly path: string; readonly stats: BigIntStats; readonly movedMs: bigint }
  /** Its name is not valid text. */
  | { readonly _tag: "Unnamed"; readonly path: string }
  /** It cannot be read. */
  | { readonly _tag: "Closed"; readonly path: string }

/** The change time is updated by every write and rename, whatever the modification time is set to. */
export const markOf = ({ path, stats }: Extract<WalkEntry, { readonly _tag: "File" }>): string =>
  fingerprint(path, stats.mtimeNs, stats.ctimeNs, stats.size, stats.ino)

const bySegments = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    if (one[at]! !== other[at]!) return one[at]! < other[at]! ? -1 : 1
  }
  return one.length - other.length
}

/** Compares two relative paths in walk order. */
export const inWalkOrder = (one: string, other: string): number => bySegments(one.split("/"), other.split("/"))

const isAbsence = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Whether the name may contain bytes that are not UTF-8. */
const isGarbled = (name: string): boolean => name.includes("\ufffd")

/** One stat at a time would make the disk latency dominate. */
const CONCURRENCY = 64

/** In reverse order; only names are kept, because there may be many. Empty if it is gone, or has become a link. */
const namesIn = async (folder: string): Promise<Array<string> | "closed"> => {
  try {
    await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    if (!await isOpenAtPath(handle, folder)) return []
    return (await readdir(descriptorPath(handle) ?? folder)).sort().reverse()
  } catch (error) {
    return isAbsence(error) ? [] : "closed"
  }
}

/** Null if it is gone, or its name is not valid text. */
const look = (path: string): Promise<BigIntStats | "closed" | null> =>
  lstat(path, { bigint: true }).catch((error: unknown) => isAbsence(error) ? null : "closed")

const later = (one: bigint, other: bigint): bigint => one > other ? one : other

interface Opened {
  readonly inside: string
  readonly movedMs: bigint
  /** The remaining names, in reverse order. */
  readonly names: Array<string>
  /** Their stats, in reverse order. */
  looked: Array<{ readonly name: string; readonly stats: BigIntStats | "closed" | null }>
}

/** `root` is a real path. `ignores` gets relative paths, with a trailing slash for folders. */
export async function* walk(
  root: string,
  ignores: (path: string) => boolean,
  signal: AbortSignal
): AsyncGenerator<WalkEntry> {
  const opened: Array<Opened> = []
  let movedMs = 0n
  for (let entered: string | null = "";;) {
    if (entered !== null) {
      signal.throwIfAborted()
      const names = await namesIn(join(root, entered))
      if (names === "closed") yield { _tag: "Closed", path: entered }
      else opened.push({ inside: entered === "" ? "" : `${entered}/`, movedMs, names, looked: [] })
      entered = null
    }
    const folder = opened.at(-1)
    if (folder === undefined) return
    if (folder.looked.length === 0) {
      folder.looked = await Promise.all(
        folder.names.splice(-CONCURRENCY).map(async (name) => ({
          name,
          stats: await look(join(root, folder.inside, name))
        }))
      )
    }
    const next = folder.looked.pop()
    if (next === undefined) {
      opened.pop()
      continue
    }
    const { name, stats } = next
    const path = folder.inside + name
    movedMs = stats === "closed" || stats === null ? 0n : later(stats.ctimeMs, folder.movedMs)
    if (stats !== "closed" && stats?.isDirectory() === true) entered = ignores(`${path}/`) ? null : path
    else if (ignores(path)) continue
    else if (stats === "closed") yield { _tag: "Closed", path }
    else if (stats === null && isGarbled(name)) yield { _tag: "Unnamed", path }
    else if (stats?.isFile() === true) yield { _tag: "File", path, stats, movedMs }
  }
}
