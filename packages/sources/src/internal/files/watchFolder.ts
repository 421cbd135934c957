/**
 * Reports changes in a folder and its subfolders.
 *
 * Each folder has a watcher, so files cost nothing and ignored folders are left out. If there are too many folders, or
 * the system cannot watch them, the tree is scanned periodically.
 */
import { createHash } from "node:crypto"
import { type FSWatcher, statSync, watch } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { join, sep } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { SourceGone } from "@tributary/core/ports/Provider"
import { makeWakeUp } from "../wakeUp.ts"
import { markOf, walk } from "./walk.ts"

export interface FolderWatch {
  /** A real path. */
  readonly root: string
  /** Gets relative paths, with a trailing slash for folders. */
  readonly ignores: (path: string) => boolean
  /** With more folders, the tree is scanned instead. */
  readonly maxFolders: number
  readonly pollMillis: number
}

/** Scanning takes at most this share of the time. */
const SHARE = 20

const stateOf = async ({ ignores, root }: FolderWatch, signal: AbortSignal): Promise<string> => {
  const hash = createHash("sha256")
  for await (const found of walk(root, ignores, signal)) {
    hash.update(`${found._tag === "File" ? markOf(found) : found.path}\0`)
  }
  return hash.digest("hex")
}

async function* polled(folder: FolderWatch, signal: AbortSignal): AsyncGenerator<void> {
  for (let before: string | null = null;;) {
    const began = performance.now()
    const state = await stateOf(folder, signal)
    // The first scan is the baseline.
    if (state !== before) yield
    before = state
    const took = performance.now() - began
    await pause(Math.max(folder.pollMillis, took * SHARE), undefined, { signal })
  }
}

/**
 * One watcher per folder. Calls `changed` for files that are not ignored, and `blind` when there are too many folders.
 */
const makeWatchers = ({ ignores, maxFolders, root }: FolderWatch, changed: () => void, blind: () => void) => {
  const watchers = new Map<string, FSWatcher>()

  const forget = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }

  /** A folder that was added, removed or replaced. */
  const look = async (path: string) => {
    const stats = await lstat(join(root, path)).catch(() => null)
    forget(path)
    if (stats?.isDirectory() === true && !ignores(`${path}/`)) await add(path)
  }

  const add = async (folder: string): Promise<void> => {
    if (watchers.size >= maxFolders) return blind()
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (event, name) => {
        const path = name === null ? folder : join(folder, name).replaceAll(sep, "/")
        if (path !== "" && ignores(path) && ignores(`${path}/`)) return
        changed()
        // Files written to a new folder before its watcher started are reported with it.
        if (event === "rename") void look(path).then(changed)
      })
      watchers.set(folder, watcher.on("error", () => forget(folder)))
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : blind()
    }
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !ignores(`${path}/`)) await add(path)
    }
  }

  return {
    add,
    close: () => {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    }
  }
}

/** Which folder has this name; null if none has. */
const identityOf = (path: string): string | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

/** Emits once when the watch starts, and then after changes. Throws `SourceGone` if the folder itself is removed. */
export async function* watchFolder(folder: FolderWatch, signal: AbortSignal): AsyncGenerator<void> {
  const { heard, ring } = makeWakeUp()
  let isBlind = false
  const blind = () => {
    isBlind = true
    ring()
  }
  const { add, close } = makeWatchers(folder, ring, blind)
  signal.addEventListener("abort", ring, { once: true })
  try {
    let watched: string | null = null
    ring()
    while (true) {
      await heard()
      if (signal.aborted) return
      const present = identityOf(folder.root)
      if (present === null) throw new SourceGone({ message: `${folder.root} does not exist.` })
      // Watchers follow a folder that is renamed, not the one that takes its place.
      if (present !== watched) {
        close()
        watched = present
        await add("")
      }
      if (isBlind) break
      yield
    }
  } finally {
    close()
  }
  yield* polled(folder, signal)
}
