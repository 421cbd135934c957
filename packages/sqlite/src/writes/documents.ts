/** Removal of documents, and pruning of what it leaves behind. */
import { enqueue, mayWrite, type TimedFencingToken } from "./jobs.ts"
import type { Selection } from "@tributary/core/ports/DocumentStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import type { EventId, WorkspaceId } from "@tributary/core/model/Id"
import { dropTexts } from "./admission.ts"
import { insertEvent } from "./events.ts"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { countersOf, keepCounters } from "./counters.ts"
import type { DocumentColumns } from "../rows/documentRows.ts"
import { uuid7 } from "@tributary/core/uuid7"

export interface Removed extends DocumentColumns {
  readonly connector_id: string
}

/** Removes the marks as well. */
const takeMarked = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  { connector_id, gone, resource }: Extract<Selection, { readonly gone: unknown }>
): ReadonlyArray<string> =>
  db.all<{ readonly external_id: string }>(
    `DELETE FROM source_deletions WHERE connection_id = ? AND resource = ? AND workspace_id = ?
      AND external_id IN (SELECT value FROM json_each(?)) RETURNING external_id`,
    connector_id,
    resource,
    workspaceId,
    JSON.stringify(gone)
  ).map(({ external_id }) => external_id)

const selected = (db: SqliteConnection, workspaceId: WorkspaceId, selection: Selection): ReadonlyArray<Removed> => {
  if ("document_id" in selection) {
    return db.all(
      "SELECT * FROM documents WHERE document_id = ? AND workspace_id = ?",
      selection.document_id,
      workspaceId
    )
  }
  if ("versions" in selection) {
    return selection.versions.flatMap(({ change_seq, document_id }) =>
      db.all<Removed>(
        "SELECT * FROM documents WHERE document_id = ? AND workspace_id = ? AND change_seq = ?",
        document_id,
        workspaceId,
        change_seq
      )
    )
  }
  if ("first" in selection) {
    return db.all(
      `SELECT * FROM documents WHERE workspace_id = ? AND connector_id = ? AND change_seq <= ?
        ORDER BY document_id LIMIT ?`,
      workspaceId,
      selection.connector_id,
      selection.until,
      selection.first
    )
  }
  const externalIds = "gone" in selection ? takeMarked(db, workspaceId, selection) : selection.external_ids
  return [...new Set(externalIds)].flatMap((externalId) =>
    db.all<Removed>(
      "SELECT * FROM documents WHERE connector_id = ? AND external_id = ? AND workspace_id = ?",
      selection.connector_id,
      externalId,
      workspaceId
    )
  )
}

const remove = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  selection: Selection,
  now: Date,
  follow: NewJob,
  fencingToken: TimedFencingToken | undefined
): ReadonlyArray<Pick<Removed, "document_id" | "external_id">> => {
  const held = countersOf(db, workspaceId)
  if (held === undefined || !mayWrite(db, fencingToken)) return []
  const removed = selected(db, workspaceId, selection)
  for (const { document_id, external_id, id, kind, metadata, size, source, timestamp } of removed) {
    held.documents--
    held.storage -= size
    dropTexts(db, id)
    db.run("DELETE FROM documents WHERE id = ?", id)
    db.run(
      "INSERT INTO tombstones (document_id, workspace_id, change_seq) VALUES (?, ?, ?)",
      document_id,
      workspaceId,
      ++held.change_seq
    )
    insertEvent(db, workspaceId, {
      event_seq: ++held.event_seq,
      event_id: uuid7<EventId>(now.getTime()),
      type: "document.deleted",
      source,
      kind,
      external_id,
      document_id,
      timestamp,
      created_at: now.getTime(),
      metadata
    })
  }
  if (removed.length === 0) return []
  keepCounters(db, workspaceId, held)
  enqueue(db, follow, null)
  return removed.map(({ document_id, external_id }) => ({ document_id, external_id }))
}

export const documentWrites = {
  remove,

  /** At most `limit`; the number of deleted rows. */
  pruneEvents: (db: SqliteConnection, before: Date, limit: number): number =>
    db.run("DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE created_at < ? LIMIT ?)", before, limit),

  pruneTombstones: (db: SqliteConnection, limit: number): number =>
    db.run(
      `DELETE FROM tombstones WHERE document_id IN (
        SELECT t.document_id FROM (
          SELECT workspace_id, min(purged_seq) AS purged_seq FROM snapshots GROUP BY workspace_id
        ) kept JOIN tombstones t ON t.workspace_id = kept.workspace_id AND t.change_seq <= kept.purged_seq LIMIT ?)`,
      limit
    )
}
