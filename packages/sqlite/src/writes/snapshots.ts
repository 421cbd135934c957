/** Writes of settings and snapshots. */
import { KnownSegments } from "@tributary/core/KnownSegments"
import type { SnapshotId, WorkspaceId } from "@tributary/core/model/Id"
import type { KnowledgeSettings } from "@tributary/core/model/KnowledgeSettings"
import type { NewJob } from "@tributary/core/ports/JobStore"
import type { Head, Snapshot, Tenure } from "@tributary/core/ports/KnowledgeStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { type Columns, date } from "../internal/rows.ts"
import { cancelJobs, enqueue, holds } from "./jobs.ts"
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

export const publishedOf = (db: SqliteConnection, workspaceId: WorkspaceId): SnapshotColumns | undefined =>
  db.get("SELECT * FROM snapshots WHERE workspace_id = ? ORDER BY position DESC LIMIT 1", workspaceId)

const withoutSegments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId
): Omit<SnapshotColumns, "segments"> | undefined =>
  db.get(
    `SELECT position, snapshot_id, change_seq, chunk_seq, generation, settings, built_at, watermark FROM snapshots
      WHERE workspace_id = ? ORDER BY position DESC LIMIT 1`,
    workspaceId
  )

const segmentsOf = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  { position, snapshot_id }: Pick<SnapshotColumns, "position" | "snapshot_id">,
  lists: KnownSegments
): Snapshot["segments"] => {
  const known = lists.get(workspaceId)
  if (known?.snapshot_id === snapshot_id) return known.segments
  const row = db.get<{ readonly segments: string }>(
    "SELECT segments FROM snapshots WHERE workspace_id = ? AND position = ?",
    workspaceId,
    position
  )
  return lists.parse(workspaceId, snapshot_id, row!.segments)
}

/** In one transaction. */
export const headOf = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  lists = new KnownSegments()
): StoredHead => {
  const row = db.get<Pick<Head, "generation" | "change_seq" | "chunk_seq"> & { readonly settings: string | null }>(
    `SELECT k.settings, k.generation, c.change_seq, c.chunk_seq
      FROM knowledge k JOIN counters c ON c.workspace_id = k.workspace_id WHERE k.workspace_id = ?`,
    workspaceId
  )
  if (row === undefined) return NO_HEAD
  const { change_seq, chunk_seq, generation, settings } = row
  const published = withoutSegments(db, workspaceId)
  return {
    settings: settings === null ? null : JSON.parse(settings),
    generation,
    change_seq,
    chunk_seq,
    snapshot: published === undefined ? null : {
      snapshot_id: published.snapshot_id,
      change_seq: published.change_seq,
      chunk_seq: published.chunk_seq,
      generation: published.generation,
      settings: JSON.parse(published.settings),
      built_at: new Date(published.built_at),
      watermark: date(published.watermark),
      segments: segmentsOf(db, workspaceId, published, lists)
    }
  }
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
    { keep, previous, replaces, tenure }: {
      readonly previous: SnapshotId | null
      readonly replaces: boolean
      readonly keep: number
      readonly tenure?: Tenure
    },
    millis: number
  ): boolean => {
    if (tenure !== undefined && !holds(db, tenure.job_id, tenure.lease, millis)) return false
    const knowledge = db.get<{ readonly generation: number }>(
      "SELECT generation FROM knowledge WHERE workspace_id = ?",
      workspaceId
    )
    const published = publishedOf(db, workspaceId)
    if (
      knowledge?.generation !== snapshot.generation || (published?.snapshot_id ?? null) !== previous ||
      (published !== undefined && snapshot.change_seq < published.change_seq) ||
      !snapshot.segments.every(({ segment_id }) => isSegmentStored(db, workspaceId, segment_id))
    ) return false
    const position = (published?.position ?? 0) + 1
    if (replaces) {
      db.run("DELETE FROM snapshots WHERE workspace_id = ? AND position = ?", workspaceId, position - 1)
    }
    db.run(
      `INSERT INTO snapshots (workspace_id, position, snapshot_id, change_seq, chunk_seq, generation, settings, built_at,
        watermark, segments, purged_seq, hiding_since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      workspaceId,
      position,
      snapshot.snapshot_id,
      snapshot.change_seq,
      snapshot.chunk_seq,
      snapshot.generation,
      JSON.stringify(snapshot.settings),
      snapshot.built_at,
      snapshot.watermark,
      JSON.stringify(snapshot.segments),
      snapshot.purged_seq,
      snapshot.hiding_since
    )
    // Older snapshots that contain data deleted before this one are removed.
    db.run(
      `DELETE FROM snapshots WHERE workspace_id = ?1 AND position < ?2 AND purged_seq < (
        SELECT max(change_seq) FROM tombstones WHERE workspace_id = ?1 AND change_seq <= ?3)`,
      workspaceId,
      position,
      snapshot.change_seq
    )
    db.run(
      `DELETE FROM snapshots WHERE workspace_id = ?1 AND position NOT IN (
        SELECT position FROM snapshots WHERE workspace_id = ?1 ORDER BY position DESC LIMIT ?2)`,
      workspaceId,
      Math.max(keep, 1)
    )
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
