/** Rows and the models that they are read into. */
import type { ApiKey } from "@tributary/core/model/ApiKey"
import type { Operator } from "@tributary/core/model/Operator"
import type { Invitation, User } from "@tributary/core/model/Person"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import type { DocumentRecord } from "@tributary/core/ports/DocumentStore"
import type { Invited } from "@tributary/core/ports/PeopleStore"
import type { Job } from "@tributary/core/ports/JobStore"

/** The columns of a model: dates are milliseconds, booleans 0 or 1, and the named fields JSON. */
export type Columns<Model, Json extends keyof Model = never> = {
  readonly [Key in keyof Model]: Key extends Json ? string | Extract<Model[Key], null>
    : Date extends Model[Key] ? number | Exclude<Model[Key], Date>
    : boolean extends Model[Key] ? number
    : Model[Key]
}

export const date = (millis: number | null): Date | null => millis === null ? null : new Date(millis)

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

export type KeyColumns = Columns<ApiKey, "scopes" | "created_by">

export const toKey = (row: KeyColumns): ApiKey => ({
  key_id: row.key_id,
  name: row.name,
  hint: row.hint,
  scopes: JSON.parse(row.scopes),
  created_at: new Date(row.created_at),
  created_by: JSON.parse(row.created_by),
  last_used_at: date(row.last_used_at),
  expires_at: date(row.expires_at),
  revoked_at: date(row.revoked_at)
})

export type OperatorColumns = Columns<Operator, "scopes">

export const toOperator = (row: OperatorColumns): Operator => ({
  operator_id: row.operator_id,
  name: row.name,
  hint: row.hint,
  scopes: JSON.parse(row.scopes),
  created_at: new Date(row.created_at),
  expires_at: date(row.expires_at)
})

export type UserColumns = Columns<User>

/** Columns of the user `u`. */
export const USER = "u.user_id, u.account_id, u.email, u.email_proof, u.name, u.created_at"

export const toUser = (row: UserColumns): User => ({
  user_id: row.user_id,
  account_id: row.account_id,
  email: row.email,
  email_proof: row.email_proof,
  name: row.name,
  created_at: new Date(row.created_at)
})

export type InvitationColumns = Columns<Invitation, "created_by">

export const INVITATION = "invitation_id, email, role, created_at, created_by, expires_at"

/** Columns of the invitation `i`, in addition to those of its workspace `w`. */
const INVITED = `i.invitation_id, i.email, i.role, i.created_at AS invited_at, i.created_by, i.expires_at`

export const SELECT_INVITED =
  `SELECT ${INVITED}, ${WORKSPACE} FROM invitations i JOIN workspaces w ON w.workspace_id = i.workspace_id`

export type InvitedColumns = Omit<InvitationColumns, "created_at"> & WorkspaceColumns & { readonly invited_at: number }

export const toInvited = (row: InvitedColumns): Invited => ({
  workspace: toWorkspace(row),
  invitation: {
    invitation_id: row.invitation_id,
    email: row.email,
    role: row.role,
    created_at: new Date(row.invited_at),
    created_by: JSON.parse(row.created_by),
    expires_at: new Date(row.expires_at)
  }
})

export const toInvitation = (row: InvitationColumns): Invitation => ({
  ...row,
  created_at: new Date(row.created_at),
  created_by: JSON.parse(row.created_by),
  expires_at: new Date(row.expires_at)
})

export interface DocumentColumns extends Columns<DocumentRecord, "metadata"> {
  /** The key of its chunks and its payload. */
  readonly id: number
  readonly change_seq: number
  readonly text_bytes: number
}

export const toDocument = (row: DocumentColumns): DocumentRecord => ({
  document_id: row.document_id,
  external_id: row.external_id,
  source: row.source,
  kind: row.kind,
  title: row.title,
  url: row.url,
  size: row.size,
  timestamp: new Date(row.timestamp),
  ends_at: date(row.ends_at),
  metadata: JSON.parse(row.metadata),
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at)
})

export type JobColumns = Columns<Job, "progress" | "error">

export const JOB =
  `job_id, workspace_id, queue, key, payload, status, attempt, max_attempts, deadline_seconds, created_at,
  run_at, started_at, finished_at, progress, error, result, trace`

export const toJob = (row: JobColumns): Job => ({
  ...row,
  created_at: new Date(row.created_at),
  run_at: new Date(row.run_at),
  started_at: date(row.started_at),
  finished_at: date(row.finished_at),
  progress: row.progress === null ? null : JSON.parse(row.progress),
  error: row.error === null ? null : JSON.parse(row.error)
})
