/** What the audit log says of a new workspace and of a new key. */
import type { ApiKey } from "../../model/ApiKey.ts"
import type { Principal } from "../../model/Principal.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"
import type { Note } from "../auditing.ts"

export const workspaceCreation = (workspace: WorkspaceRecord, by: Principal): Note => ({
  action: "workspace.created",
  by,
  in: workspace,
  subject: workspace.workspace_id,
  details: { name: workspace.name }
})

export const keyCreation = (workspace: WorkspaceRecord, { created_by, key_id, name }: ApiKey): Note => ({
  action: "api_key.created",
  by: created_by,
  in: workspace,
  subject: key_id,
  details: { name }
})
