/**
 * Copies of segments as files: a folder for each workspace, a file for each segment. Several servers may share the folder:
 * files appear whole, and what is missing or damaged is read from the store again.
 */
import { WorkspaceId } from "@tributary/core/model/Id"
import { checkNumbers, numberFrom } from "@tributary/core/model/NumberRule"
import { SegmentBudget, SegmentCache, type SegmentCopies } from "@tributary/core/ports/SegmentCache"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openSegmentFile } from "./internal/SegmentFile.ts"
import { makeDirectory } from "./makeDirectory.ts"

const isWorkspaceId = Schema.is(WorkspaceId)

/** Null, and no more, when the disk does not do it: it is full, or may only be read. */
const attempted = <A>(act: () => Promise<A>): Effect.Effect<A | null> => Effect.promise(() => act().catch(() => null))

const names = (folder: string): Promise<ReadonlyArray<string>> => readdir(folder).catch(() => [])

/** Deletes the least recently used files until the rest fits. */
const shrink = async (folder: string, most: number): Promise<void> => {
  const files: Array<{ readonly path: string; readonly size: number; readonly used: number }> = []
  for (const workspace of await names(folder)) {
    for (const name of await names(join(folder, workspace))) {
      const path = join(folder, workspace, name)
      const found = await stat(path).catch(() => null)
      if (found !== null) files.push({ path, size: found.size, used: found.mtimeMs })
    }
  }
  let total = files.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of files.toSorted((left, right) => left.used - right.used)) {
    if (total <= most) return
    await rm(path, { force: true })
    total -= size
  }
}

const touch = async (path: string): Promise<void> => {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
}

const read = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = await readFile(path)
  await touch(path)
  // A small buffer may be part of a larger one, at any offset: copy it.
  return bytes.byteOffset === 0 ? new Uint8Array(bytes.buffer, 0, bytes.length) : new Uint8Array(bytes)
}

/** Writes to the path `unfinished` first, so that the file appears whole. */
const write = async (path: string, bytes: Uint8Array, unfinished: string): Promise<void> => {
  try {
    await writeFile(unfinished, bytes, { mode: 0o600 })
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Deletes the other files of a folder, and the folder if none is kept. */
const keepOnly = async (folder: string, kept: ReadonlySet<string>): Promise<void> => {
  for (const name of await names(folder)) {
    if (!kept.has(name)) await rm(join(folder, name), { force: true })
  }
  if (kept.size === 0) await rmdir(folder)
}

/** `most` is how many bytes the files may take, about. */
export const make = (folder: string, most: number): SegmentCopies => {
  const folderOf = (workspaceId: WorkspaceId) => join(folder, workspaceId)
  const pathOf = (workspaceId: WorkspaceId, segmentId: string) =>
    join(folderOf(workspaceId), encodeURIComponent(segmentId))
  let written = Infinity
  let number = 0

  return {
    get: (workspaceId, segmentId) => attempted(() => read(pathOf(workspaceId, segmentId))),

    source: (workspaceId, segmentId) =>
      attempted(async () => {
        const path = pathOf(workspaceId, segmentId)
        const file = await openSegmentFile(path)
        if (file !== null) await touch(path)
        return file
      }),

    put: (workspaceId, segmentId, bytes) =>
      Effect.asVoid(attempted(async () => {
        makeDirectory(folderOf(workspaceId))
        const path = pathOf(workspaceId, segmentId)
        await write(path, bytes, `${path}.${process.pid}-${++number}.new`)
        written += bytes.length
        if (written > most / 8) {
          written = 0
          await shrink(folder, most)
        }
      })),

    retain: (workspaceId, segmentIds) =>
      Effect.asVoid(attempted(() => keepOnly(folderOf(workspaceId), new Set(segmentIds.map(encodeURIComponent))))),

    workspaces: Effect.map(Effect.promise(() => names(folder)), (found) => found.filter(isWorkspaceId))
  }
}

/** What the numbers of the options have to be. */
export const RULES = { maxBytes: numberFrom(1, Number.MAX_SAFE_INTEGER) }

/** The files may take `maxBytes`; by default four times what the process keeps loaded. */
export const layer = (folder: string, maxBytes?: number) =>
  Layer.effect(
    SegmentCache,
    Effect.map(SegmentBudget, (loaded) => {
      checkNumbers(RULES, { maxBytes })
      return make(folder, maxBytes ?? 4 * loaded)
    })
  )
