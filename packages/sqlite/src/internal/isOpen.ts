import type { WorkspaceId } from "@tributary/core/model/Id"
import type { SqliteConnection } from "./SqliteConnection.ts"

/** Rows of a closed workspace stay until they are erased, and no method shows them. */
export const isOpen = (db: SqliteConnection, workspaceId: WorkspaceId): boolean =>
  db.get("SELECT 1 FROM workspaces WHERE workspace_id = ?", workspaceId) !== undefined
