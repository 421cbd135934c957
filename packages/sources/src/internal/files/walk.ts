/** All files of a tree, in an order that does not change. Links are not followed. */
import { type BigIntStats, constants } from "node:fs"
import { lstat, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import { heldPath, standsAt } from "./standsAt.ts"

export type Found =
  /** `path` is relative, with slashes. */
  | { readonly _tag: "File"; readonly path: string; readonly stats: BigIntStats }
  /** It has a name, but none that is text. */
  | { readonly _tag: "Unnamed"; readonly path: string }
  /** It cannot be looked at, or into. */
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
  ["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Whether the name may have been other bytes, which are no UTF-8. */
const isGarbled = (name: string): boolean => name.includes("\ufffd")

/** Asked one after the other, a disk takes longer to answer than all else does. */
const AT_A_TIME = 64

/** The last first; nothing more is held of them, as there may be many. None when it is gone, or a link meanwhile. */
const namesIn = async (folder: string): Promise<Array<string> | "closed"> => {
  try {
    await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    if (!await standsAt(handle, folder)) return []
    return (await readdir(heldPath(handle) ?? folder)).sort().reverse()
  } catch (error) {
    return isAbsence(error) ? [] : "closed"
  }
}

/** Null when it is gone, or has a name that is no text. */
const look = (path: string): Promise<BigIntStats | "closed" | null> =>
  lstat(path, { bigint: true }).catch((error: unknown) => isAbsence(error) ? null : "closed")

interface Opened {
  readonly inside: string
  /** Those to come, the last first. */
  readonly names: Array<string>
  /** What bears the next of them, the last first. */
  looked: Array<{ readonly name: string; readonly stats: BigIntStats | "closed" | null }>
}

/** `root` is a real path; `ignores` is asked about relative paths, with a slash behind those of folders. */
export async function* walk(
  root: string,
  ignores: (path: string) => boolean,
  signal: AbortSignal
): AsyncGenerator<Found> {
  const opened: Array<Opened> = []
  for (let entered: string | null = "";;) {
    if (entered !== null) {
      signal.throwIfAborted()
      const names = await namesIn(join(root, entered))
      if (names === "closed") yield { _tag: "Closed", path: entered }
      else opened.push({ inside: entered === "" ? "" : `${entered}/`, names, looked: [] })
      entered = null
    }
    const folder = opened.at(-1)
    if (folder === undefined) return
    if (folder.looked.length === 0) {
      folder.looked = await Promise.all(
        folder.names.splice(-AT_A_TIME).map(async (name) => ({
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
    if (stats !== "closed" && stats?.isDirectory() === true) entered = ignores(`${path}/`) ? null : path
    else if (ignores(path)) continue
    else if (stats === "closed") yield { _tag: "Closed", path }
    else if (stats === null && isGarbled(name)) yield { _tag: "Unnamed", path }
    else if (stats?.isFile() === true) yield { _tag: "File", path, stats }
  }
}
