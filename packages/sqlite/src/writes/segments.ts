/** Writes of segments, in slices. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"

/** With candidates, only those are dropped: a running build has stored segments that no snapshot names yet. */
export const dropUnnamedSegments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  candidates: ReadonlyArray<string> | null
): void => {
  db.run(
    `DELETE FROM segments WHERE workspace_id = ?1 AND (?2 IS NULL OR segment_id IN (SELECT value FROM json_each(?2)))
      AND segment_id NOT IN (
        SELECT n.value ->> 'segment_id' FROM snapshots s, json_each(s.segments) n WHERE s.workspace_id = ?1)`,
    workspaceId,
    candidates === null ? null : JSON.stringify(candidates)
  )
}

export const isSegmentStored = (db: SqliteConnection, workspaceId: WorkspaceId, segmentId: string): boolean =>
  db.get(
    "SELECT 1 FROM segments WHERE workspace_id = ? AND segment_id = ? AND slice = 0",
    workspaceId,
    segmentId
  ) !== undefined

export const segmentWrites = {
  /**
   * Slices are stored from the last to the first, each only when the one behind it is present, so that a stored first
   * slice means a complete segment. Slices beyond the last one, of an earlier segment of that id, are dropped.
   */
  putSlice: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    segmentId: string,
    slice: number,
    last: number,
    bytes: Uint8Array
  ): void => {
    if (!isOpen(db, workspaceId)) return
    const behind = "SELECT 1 FROM segments WHERE workspace_id = ? AND segment_id = ? AND slice = ?"
    if (slice < last && db.get(behind, workspaceId, segmentId, slice + 1) === undefined) return
    db.run("DELETE FROM segments WHERE workspace_id = ? AND segment_id = ? AND slice > ?", workspaceId, segmentId, last)
    db.run(
      `INSERT INTO segments (workspace_id, segment_id, slice, last, bytes) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET last = excluded.last, bytes = excluded.bytes`,
      workspaceId,
      segmentId,
      slice,
      last,
      bytes
    )
  },

  dropSegments: (db: SqliteConnection, workspaceId: WorkspaceId, segmentIds: ReadonlyArray<string>): void =>
    dropUnnamedSegments(db, workspaceId, segmentIds)
}
