/** Syncs one branch that has been fetched. */
import { basename } from "node:path"
import { MAX_UPLOAD_BYTES } from "@tributary/core/model/Ingest"
import { DigestSet } from "@tributary/core/DigestSet"
import { FatalFailure, type SyncStep } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import { CHECKPOINT_INTERVAL, cursorFormat } from "../cursor.ts"
import { externalId } from "../externalId.ts"
import { isWithin } from "../isWithin.ts"
import { listedSteps } from "../listedSteps.ts"
import type { ResourceSync } from "../ResourceSync.ts"
import { metadataValue } from "../storable.ts"
import { openBlobs } from "./Blobs.ts"
import { type Authorship, authorships, changesBetween, contentOf, filesOf } from "./changes.ts"
import { type GitRun, runGit } from "./gitProcess.ts"

const cursors = cursorFormat(Schema.Struct({
  v: Schema.Literal(1),
  /** The commit that is completely stored. */
  commit: Schema.NullOr(Schema.String),
  /** A sync in progress to a later commit, and its last stored path. */
  run: Schema.NullOr(Schema.Struct({ commit: Schema.String, after: Schema.String }))
}))

interface BranchSync extends ResourceSync {
  /** In the clone. */
  readonly run: GitRun
  readonly head: string
  readonly maxFiles: number
}

const isThere = (run: GitRun, commit: string): Promise<boolean> =>
  runGit(run, ["cat-file", "-e", `${commit}^{commit}`]).then(() => true, () => false)

/** Where to resume. If the clone has lost a commit of which files are stored, everything is read again. */
const beginning = async ({ cursor, head, run }: BranchSync) => {
  const { commit = null, run: broken = null } = cursors.read(cursor) ?? {}
  for (const stored of [commit, broken?.commit ?? null]) {
    if (stored === null || stored === head) continue
    if (!/^[0-9a-f]{40,64}$/.test(stored) || !await isThere(run, stored)) return { commit: null, broken: null }
  }
  return { commit, broken }
}

const emptyTree = async (run: GitRun): Promise<string> =>
  (await runGit(run, ["hash-object", "-t", "tree", "--stdin"])).trim()

/** Whether the name may contain bytes that are not UTF-8. */
const isGarbled = (path: string): boolean => path.includes("\ufffd")

/** Longer files are none. */
const MAX_POINTER_BYTES = 1_024

/** Whether Git LFS stores the content elsewhere. */
const isPointer = (bytes: Uint8Array): boolean =>
  bytes.length < MAX_POINTER_BYTES &&
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.+\n)*oid sha256:/.test(Buffer.from(bytes).toString("latin1"))

/** `bytes` are null if the file is too large. */
const stepOf = (
  external_id: string,
  path: string,
  bytes: Uint8Array<ArrayBuffer> | null,
  { author, date }: Authorship
): SyncStep => {
  const skipped = (reason: string): SyncStep => ({ _tag: "Skipped", external_id, reason })
  if (bytes === null) return skipped(`The file is larger than ${MAX_UPLOAD_BYTES} bytes.`)
  if (isPointer(bytes)) return skipped("Git LFS stores its content elsewhere, where it is not read.")
  // Several of them may look the same.
  if (isGarbled(path)) return skipped("The name is not valid UTF-8.")
  return {
    _tag: "Upsert",
    item: {
      external_id,
      timestamp: date,
      file: { bytes, name: basename(path), contentType: "" },
      metadata: { path: metadataValue(path), author: metadataValue(author) }
    }
  }
}

async function* idsOf(branch: string, paths: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const path of paths) yield externalId(branch, path)
}

export async function* syncBranch(sync: BranchSync): AsyncGenerator<SyncStep> {
  const { head, maxFiles, resource: branch, run } = sync
  const { broken, commit } = await beginning(sync)
  if (commit === head && broken === null) {
    yield { _tag: "Checkpoint", cursor: cursors.write({ v: 1, commit, run: null }), done: 1, total: 1 }
    return
  }
  const from = commit ?? await emptyTree(run)
  // Later, a file may replace a stored one by an older version, as after a revert or a merge.
  const since = commit === null ? sync.since : null
  // Git sorts paths by bytes.
  const reached = Buffer.from(broken?.after ?? "")
  const isReached = (path: string): boolean => broken !== null && Buffer.compare(Buffer.from(path), reached) <= 0
  // Two passes, because there may be too many paths to keep.
  const changes = async function*() {
    // An interrupted sync has stored files of its own commit, and after them those of the base commit are stored.
    if (broken !== null) {
      for await (const change of changesBetween(run, broken.commit, head)) if (isReached(change.path)) yield change
    }
    for await (const change of changesBetween(run, from, head)) if (!isReached(change.path)) yield change
  }
  const wanted = new DigestSet()
  let count = 0
  for await (const { object, path } of changes()) {
    if (++count > maxFiles) throw new FatalFailure({ message: `More than ${maxFiles} files have changed.` })
    if (object !== null) wanted.add(contentOf(path, object))
  }
  const authorshipOf = await authorships(run, head, wanted)
  const total = Math.ceil(count / CHECKPOINT_INTERVAL) || 1
  let done = 0
  const blobs = openBlobs(run)
  try {
    for await (const { object, path } of changes()) {
      const external_id = externalId(branch, path)
      if (object === null) yield { _tag: "Delete", external_id }
      else {
        const authorship = authorshipOf(contentOf(path, object))
        if (isWithin(since, authorship.date)) {
          yield stepOf(external_id, path, await blobs.read(object, MAX_UPLOAD_BYTES), authorship)
        }
      }
      // Not after a name that is not valid text: its place in the order would be another.
      if (++done % CHECKPOINT_INTERVAL !== 0 || done === count || isGarbled(path)) continue
      const state = { v: 1 as const, commit, run: isReached(path) ? broken : { commit: head, after: path } }
      yield { _tag: "Checkpoint", cursor: cursors.write(state), done: done / CHECKPOINT_INTERVAL, total }
    }
  } finally {
    blobs.end()
  }
  yield* listedSteps(idsOf(branch, filesOf(run, head)))
  yield { _tag: "Checkpoint", cursor: cursors.write({ v: 1, commit: head, run: null }), done: total, total }
}
