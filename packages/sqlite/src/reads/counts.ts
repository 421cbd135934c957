/** Counts of documents below prefixes of external ids. */
import type { ConnectorId, WorkspaceId } from "@tributary/core/model/Id"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

/** The first text after all that begin with the prefix, which ends with a slash. */
export const endOf = (prefix: string): string => `${prefix.slice(0, -1)}0`

/** By ranges of the index alone: of two prefixes that end with a slash, one contains the other or they are disjoint. */
export const countDocuments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  connectorId: ConnectorId,
  { except, prefix }: { readonly prefix: string; readonly except: ReadonlyArray<string> }
): number => {
  const below = (start: string): number =>
    db.get<{ readonly count: number }>(
      "SELECT count(*) AS count FROM documents WHERE connector_id = ? AND external_id >= ? AND external_id < ?",
      connectorId,
      start,
      endOf(start)
    )!.count
  const isPresent = db.get(
    `SELECT 1 FROM connectors c JOIN workspaces w ON w.workspace_id = c.workspace_id
      WHERE c.connector_id = ? AND c.workspace_id = ?`,
    connectorId,
    workspaceId
  )
  if (isPresent === undefined || except.some((other) => prefix.startsWith(other))) return 0
  const disjoint = [...new Set(except)].filter((one, _, all) =>
    one.startsWith(prefix) && !all.some((other) => other !== one && one.startsWith(other))
  )
  return disjoint.reduce((count, other) => count - below(other), below(prefix))
}
