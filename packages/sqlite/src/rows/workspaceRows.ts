/** Workspaces as rows. */
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import type { Columns } from "./Columns.ts"

export type WorkspaceColumns = Columns<WorkspaceRecord, "overrides">

/** Columns of the workspace `w`. */
export const WORKSPACE =
  "w.workspace_id, w.account_id, w.name, w.kind, w.tier, w.created_at, w.grandfathered, w.suspended, w.overrides"

export const toWorkspace = (row: WorkspaceColumns): WorkspaceRecord => ({
  workspace_id: row.workspace_id,
  account_id: row.account_id,
  name: row.name,
  kind: row.kind,
  tier: row.tier,
  created_at: new Date(row.created_at),
  grandfathered: row.grandfathered === 1,
  suspended: row.suspended === 1,
  overrides: JSON.parse(row.overrides)
})
