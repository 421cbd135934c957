/** Writes of settings and snapshots. */
import { KnownSegments } from "@tributary/core/KnownSegments"
import type { SnapshotId, WorkspaceId } from "@tributary/core/model/Id"
import type { KnowledgeSettings } from "@tributary/core/model/KnowledgeSettings"
import type { NewJob } from "@tributary/core/ports/JobStore"
import type { Head, Snapshot } from "@tributary/core/ports/KnowledgeStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { type Columns, date } from "../rows/Columns.ts"
import { cancelJobs, enqueue, mayWrite, type TimedFencingToken } from "./jobs.ts"
import { dropUnnamedSegments, isSegmentStored } from "./segments.ts"

type SnapshotColumns = Columns<Snapshot, "settings" | "segments"> & { readonly position: number }

/** Settings are null while a workspace has the default ones. */
export type StoredHead = Omit<Head, "settings"> & { readonly settings: KnowledgeSettings | null }

const NO_HEAD: StoredHead = { settings: null, generation: 0, change_seq: 0, chunk_seq: 0, snapshot: null }

/** Derived from the snapshot by the core. */
export interface Hidden {
  readonly purged_seq: number
  readonly hiding_since: Date | null
}

const publishedOf = (db: SqliteConnection, workspaceId: WorkspaceId): SnapshotColumns | undefined =>
  db.get("SELECT * FROM snapshots WHERE workspace_id = ? ORDER BY position DESC LIMIT 1", workspaceId)

interface HeadColumns
  extends Pick<Head, "generation" | "change_seq" | "chunk_seq">, Pick<SnapshotColumns, "built_at" | "watermark">
{
  readonly settings: string | null
  /** Null without a snapshot. */
  readonly snapshot_id: SnapshotId | null
  readonly folded_seq: number
  readonly folded_chunk_seq: number
  readonly built_generation: number
  readonly built_settings: string
  /** Null if the list is known. */
  readonly segments: string | null
}

const HEAD = `SELECT k.settings, k.generation, c.change_seq, c.chunk_seq, s.snapshot_id, s.change_seq AS folded_seq,
    s.chunk_seq AS folded_chunk_seq, s.generation AS built_generation, s.settings AS built_settings, s.built_at,
    s.watermark, iif(s.snapshot_id = ?2, NULL, s.segments) AS segments
  FROM knowledge k JOIN counters c ON c.workspace_id = k.workspace_id
    LEFT JOIN snapshots s ON s.workspace_id = k.workspace_id
      AND s.position = (SELECT max(position) FROM snapshots WHERE workspace_id = ?1)
  WHERE k.workspace_id = ?1`

/** One statement, which sees one moment. */
export const headOf = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  lists = new KnownSegments()
): StoredHead => {
  const known = lists.get(workspaceId)
  const row = db.get<HeadColumns>(HEAD, workspaceId, known?.snapshot_id ?? null)
  if (row === undefined) return NO_HEAD
  const { change_seq, chunk_seq, generation, segments, settings, snapshot_id } = row
  return {
    settings: settings === null ? null : JSON.parse(settings),
    generation,
    change_seq,
    chunk_seq,
    snapshot: snapshot_id === null ? null : {
      snapshot_id,
      change_seq: row.folded_seq,
      chunk_seq: row.folded_chunk_seq,
      generation: row.built_generation,
      settings: JSON.parse(row.built_settings),
      built_at: new Date(row.built_at),
      watermark: date(row.watermark),
      segments: segments === null ? known!.segments : lists.parse(workspaceId, snapshot_id, segments)
    }
  }
}

/** Whether a snapshot is of the current settings, not behind the published one, and complete. */
const continues = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  { change_seq, generation, segments }: Snapshot,
  published: SnapshotColumns | undefined
): boolean => {
  const knowledge = db.get<{ readonly generation: number }>(
    "SELECT generation FROM knowledge WHERE workspace_id = ?",
    workspaceId
  )
  return knowledge?.generation === generation && change_seq >= (published?.change_seq ?? 0) &&
    segments.every(({ segment_id }) => isSegmentStored(db, workspaceId, segment_id))
}

/** Removes snapshots before `position` that contain data deleted up to `changeSeq`, and all but the newest `keep`. */
const dropOutdated = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  position: number,
  changeSeq: number,
  keep: number
): void => {
  db.run(
    `DELETE FROM snapshots WHERE workspace_id = ?1 AND position < ?2 AND purged_seq < (
      SELECT max(change_seq) FROM tombstones WHERE workspace_id = ?1 AND change_seq <= ?3)`,
    workspaceId,
    position,
    changeSeq
  )
  db.run(
    `DELETE FROM snapshots WHERE workspace_id = ?1 AND position NOT IN (
      SELECT position FROM snapshots WHERE workspace_id = ?1 ORDER BY position DESC LIMIT ?2)`,
    workspaceId,
    Math.max(keep, 1)
  )
}

export const snapshotWrites = {
  configure: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    settings: KnowledgeSettings | null,
    rebuild: NewJob
  ): StoredHead => {
    const changed = db.run(
      "UPDATE knowledge SET settings = coalesce(?, settings), generation = generation + 1 WHERE workspace_id = ?",
      settings === null ? null : JSON.stringify(settings),
      workspaceId
    )
    if (changed === 0) return NO_HEAD
    cancelJobs(db, workspaceId, rebuild.created_at, rebuild)
    enqueue(db, rebuild, null)
    return headOf(db, workspaceId)
  },

  nextRun: (db: SqliteConnection, workspaceId: WorkspaceId): number =>
    db.get<{ readonly runs: number }>(
      "UPDATE knowledge SET runs = runs + 1 WHERE workspace_id = ? RETURNING runs",
      workspaceId
    )?.runs ?? 1,

  publish: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    snapshot: Snapshot & Hidden,
    { keep, previous, replaces, fencingToken }: {
      readonly previous: SnapshotId | null
      readonly replaces: boolean
      readonly keep: number
      readonly fencingToken?: TimedFencingToken | undefined
    }
  ): boolean => {
    if (!mayWrite(db, fencingToken)) return false
    const published = publishedOf(db, workspaceId)
    if ((published?.snapshot_id ?? null) !== previous || !continues(db, workspaceId, snapshot, published)) return false
    const position = (published?.position ?? 0) + 1
    if (replaces) {
      db.run("DELETE FROM snapshots WHERE workspace_id = ? AND position = ?", workspaceId, position - 1)
    }
    db.insertRow("snapshots", {
      workspace_id: workspaceId,
      position,
      snapshot_id: snapshot.snapshot_id,
      change_seq: snapshot.change_seq,
      chunk_seq: snapshot.chunk_seq,
      generation: snapshot.generation,
      settings: JSON.stringify(snapshot.settings),
      built_at: snapshot.built_at,
      watermark: snapshot.watermark,
      segments: JSON.stringify(snapshot.segments),
      purged_seq: snapshot.purged_seq,
      hiding_since: snapshot.hiding_since
    })
    dropOutdated(db, workspaceId, position, snapshot.change_seq, keep)
    dropUnnamedSegments(db, workspaceId, null)
    return true
  },

  dropOldSnapshots: (db: SqliteConnection, workspaceId: WorkspaceId): number => {
    const old = db.all<{ readonly segments: string }>(
      `DELETE FROM snapshots WHERE workspace_id = ?1 AND position < (
        SELECT max(position) FROM snapshots WHERE workspace_id = ?1) RETURNING segments`,
      workspaceId
    )
    const named = old.flatMap(({ segments }) => JSON.parse(segments) as Snapshot["segments"])
    dropUnnamedSegments(db, workspaceId, named.map(({ segment_id }) => segment_id))
    return old.length
  }
}
