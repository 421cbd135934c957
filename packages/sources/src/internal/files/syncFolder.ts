/** Syncs one folder. */
import { lstat } from "node:fs/promises"
import { basename, join } from "node:path"
import { RetryableFailure, type SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { CHECKPOINT_INTERVAL, cursorFormat } from "../cursor.ts"
import { externalId, externalIdsIn } from "../externalId.ts"
import { makeFingerprints } from "../fingerprints.ts"
import { isWithin } from "../isWithin.ts"
import { BATCH_SIZE, listedSteps } from "../listedSteps.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import { metadataValue, storableDate } from "../storable.ts"
import { readWithin } from "./readWithin.ts"
import { inWalkOrder, markOf, walk, type WalkEntry } from "./walk.ts"

type File = Extract<WalkEntry, { readonly _tag: "File" }>

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  /** The files of the last complete sync, as `Fingerprints`. */
  known: Schema.String,
  /** A sync in progress: its start, its folder, and the last file that was stored. */
  run: Schema.NullOr(
    Schema.Struct({ started: Schema.Int, folder: Schema.optionalKey(Schema.String), after: Schema.String })
  )
}))

/** File systems have coarse clocks. */
const SLACK_MILLIS = 2_000

const timeOf = ({ stats }: File): Date => storableDate(Number(stats.mtimeMs))

const stepOf = async (root: string, external_id: string, file: File): Promise<SyncStep | null> => {
  const { path } = file
  const read = await readWithin(join(root, path))
  if (read === "absent") return null
  if ("unreadable" in read) return { _tag: "Skipped", external_id, reason: read.unreadable }
  return {
    _tag: "Upsert",
    item: {
      external_id,
      timestamp: timeOf(file),
      file: { bytes: read.bytes, name: basename(path), contentType: "" },
      metadata: { path: metadataValue(path) }
    }
  }
}

interface FolderSync extends ResourceSync {
  readonly root: string
  readonly ignores: (path: string) => boolean
}

/**
 * Which folder has this name; null if none has. An unmounted disk leaves an empty folder of another device, and another
 * folder may take the place of one that a link names.
 */
const identityOf = (root: string): Promise<string | null> =>
  lstat(root, { bigint: true }).then(
    (stats) => stats.isDirectory() ? `${stats.dev} ${stats.ino}` : null,
    () => null
  )

export async function* syncFolder(
  { cursor, ignores, resource, root, since: start }: FolderSync,
  signal: AbortSignal
): AsyncGenerator<SyncStep> {
  const gone = new RetryableFailure({ message: "The folder went away while it was read." })
  const folder = await identityOf(root)
  if (folder === null) throw gone
  const before = cursors.read(cursor)
  const fingerprints = makeFingerprints(before?.known)
  const run = before?.run?.folder === folder ? before.run : null
  // Later, a file may replace a stored one by an older version, and copies keep their times.
  const since = before?.known ? null : start
  const started = run?.started ?? Date.now()
  const taken = (file: File): boolean =>
    fingerprints.isKnown(markOf(file)) ||
    // A file that an interrupted part of this sync stored and that has not changed since, nor moved with a folder.
    (run !== null && inWalkOrder(file.path, run.after) <= 0 && Number(file.movedMs) < started - SLACK_MILLIS)
  const there: Array<string> = []
  /** What could not be read. */
  const unlisted: Array<string> = []
  let reached = run?.after ?? ""
  let windows = 0
  let unsaved = 0
  for await (const one of walk(root, ignores, signal)) {
    const id = externalId(resource, one.path)
    if (one._tag !== "File") {
      const isClosed = one._tag === "Closed"
      if (isClosed) unlisted.push(externalIdsIn(resource, one.path))
      there.push(id)
      const reason = isClosed ? "It may not be read." : "The name is not valid UTF-8."
      yield { _tag: "Skipped", external_id: id, reason }
      continue
    }
    const isWanted = !taken(one) && isWithin(since, timeOf(one))
    const step = isWanted ? await stepOf(root, id, one) : null
    if (step !== null) yield step
    // A file that could not be read is tried again, even if it has not changed.
    if (step?._tag === "Upsert" || !isWanted) fingerprints.add(markOf(one))
    // A file that was removed before it was read does not exist.
    if (step !== null || !isWanted) there.push(id)
    if (there.length === BATCH_SIZE) yield { _tag: "Listed", external_ids: there.splice(0) }
    if (!isWanted || ++unsaved < CHECKPOINT_INTERVAL) continue
    unsaved = 0
    windows++
    // Not past a file that could not be read: it may be readable when the sync resumes.
    if (unlisted.length === 0) reached = one.path
    const state = { v: 1 as const, known: before?.known ?? "", run: { started, folder, after: reached } }
    yield { _tag: "Checkpoint", cursor: cursors.write(state), done: windows, total: windows + 1 }
  }
  if (folder !== await identityOf(root)) throw gone
  yield* listedSteps(there, unlisted)
  const state = { v: 1 as const, known: fingerprints.found(), run: null }
  yield { _tag: "Checkpoint", cursor: cursors.write(state), done: windows + 1, total: windows + 1 }
}
