/** The columns of workspaces. */
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import type { Columns } from "./Columns.ts"
import type { Database } from "../Database.ts"

export type WorkspaceColumns = Columns<WorkspaceRecord, "overrides">

/** For the workspace `w`. */
export const workspaceColumns = ({ sql }: Database["Service"]) =>
  sql.literal(`w.workspace_id::text AS workspace_id, w.account_id::text AS account_id, w.name, w.kind, w.tier,
    w.created_at, w.grandfathered, w.suspended, w.overrides::text AS overrides`)

export const toWorkspace = ({ overrides, ...fields }: WorkspaceColumns): WorkspaceRecord => ({
  ...fields,
  overrides: JSON.parse(overrides)
})
