/** The counters of a workspace. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

export interface Counters {
  documents: number
  storage: number
  change_seq: number
  event_seq: number
  chunk_seq: number
}

export const countersOf = (db: SqliteConnection, workspaceId: WorkspaceId) =>
  db.get<Counters>(
    "SELECT documents, storage, change_seq, event_seq, chunk_seq FROM counters WHERE workspace_id = ?",
    workspaceId
  )

export const keepCounters = (db: SqliteConnection, workspaceId: WorkspaceId, counters: Counters): void => {
  const { change_seq, chunk_seq, documents, event_seq, storage } = counters
  db.run(
    `UPDATE counters SET documents = ?, storage = ?, change_seq = ?, event_seq = ?, chunk_seq = ?
      WHERE workspace_id = ?`,
    documents,
    storage,
    change_seq,
    event_seq,
    chunk_seq,
    workspaceId
  )
}
