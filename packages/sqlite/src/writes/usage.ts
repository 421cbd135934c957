/** Writes of the counts of requests. */
import type { Day } from "@tributary/core/model/ApiKey"
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { UsageBatch } from "@tributary/core/ports/UsageStore"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { isOpen } from "../internal/isOpen.ts"

export const usageWrites = {
  addUsage: (db: SqliteConnection, { day, number, usage, writer }: UsageBatch): void => {
    const isNew = db.run(
      `INSERT INTO usage_writers (writer, number, day) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET number = excluded.number, day = excluded.day WHERE number < excluded.number`,
      writer,
      number,
      day
    ) > 0
    if (!isNew) return
    for (const { counts, workspace_id } of usage) {
      if (!isOpen(db, workspace_id)) continue
      db.run(
        `INSERT INTO usage_days (workspace_id, day, documents, storage)
          SELECT w.workspace_id, ?, coalesce(c.documents, 0), coalesce(c.storage, 0)
          FROM workspaces w LEFT JOIN counters c ON c.workspace_id = w.workspace_id WHERE w.workspace_id = ?
          ON CONFLICT DO UPDATE SET documents = excluded.documents, storage = excluded.storage`,
        day,
        workspace_id
      )
      for (const { bucket, operation, outcome, requests } of counts) {
        db.run(
          `INSERT INTO usage_counts (workspace_id, day, operation, outcome, bucket, requests) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
          workspace_id,
          day,
          operation,
          outcome,
          bucket,
          requests
        )
      }
    }
  },

  pruneUsageWriters: (db: SqliteConnection, day: Day): void =>
    void db.run("DELETE FROM usage_writers WHERE day < ?", day),

  /** Says how many days of workspaces were deleted. */
  pruneUsage: (db: SqliteConnection, day: Day, limit: number): number => {
    const gone = db.all<{ readonly workspace_id: WorkspaceId; readonly day: Day }>(
      `DELETE FROM usage_days WHERE (workspace_id, day) IN (
        SELECT workspace_id, day FROM usage_days WHERE day < ? LIMIT ?) RETURNING workspace_id, day`,
      day,
      limit
    )
    for (const { day, workspace_id } of gone) {
      db.run("DELETE FROM usage_counts WHERE workspace_id = ? AND day = ?", workspace_id, day)
    }
    return gone.length
  }
}
