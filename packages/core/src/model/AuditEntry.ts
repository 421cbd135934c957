/** What was done to an account's keys, sessions, members, plan and data: who, what, when, and from where. */
import { Schema } from "effect"
import { type AccountId, AuditEntryId, WorkspaceId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import { Timestamp } from "./Timestamp.ts"

export const AuditAction = Schema.Literals([
  "api_key.created",
  "api_key.revoked",
  "session.started",
  "session.ended",
  "sessions.ended",
  "sign_in_link.created",
  "invitation.created",
  "invitation.revoked",
  "invitation.declined",
  "member.added",
  "member.joined",
  "member.changed",
  "member.removed",
  "workspace.created",
  "workspace.renamed",
  "workspace.changed",
  "workspace.deleted",
  "account.owner_set",
  "connector.created",
  "connector.changed",
  "connector.deactivated",
  "connection.created",
  "connection.changed",
  "connection.deleted",
  "documents.deleted",
  "knowledge_range.changed",
  "webhook.created",
  "webhook.changed",
  "webhook.deleted",
  "webhook.secret_rotated",
  "webhook.switched_off",
  "sign_in.failed",
  "audit_log.exported"
])
export type AuditAction = typeof AuditAction.Type

export const AuditEntry = Schema.Struct({
  entry_id: AuditEntryId,
  /** What was done. */
  action: AuditAction,
  /** Who did it. */
  actor: Principal,
  /** The workspace. Null: the entry concerns the account. */
  workspace_id: Schema.NullOr(WorkspaceId),
  /** The id of what was changed. */
  subject: Schema.String,
  /** Further details, which depend on the action. */
  details: Schema.Record(Schema.String, Schema.Json),
  /** The network address of the request. Null: there was none. */
  address: Schema.NullOr(Schema.String),
  /** When it was done. */
  created_at: Timestamp
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

export interface AuditRecord extends AuditEntry {
  readonly account_id: AccountId
}

/** An entry of a change that is still to be made. What only its result shows is missing, or null. */
export interface AuditDraft extends Omit<AuditRecord, "account_id"> {
  /** Null: nobody could read the entry, so it is not stored. */
  readonly account_id: AccountId | null
}

/** What narrows an audit log; what is left out narrows nothing. */
export interface AuditFilter {
  /** Actions, or what they have before the dot, separated by commas: `api_key.created,session`. */
  readonly action?: string
  /** The id of the user or the key. */
  readonly actor?: string
  /** The id of what it was done to. */
  readonly subject?: string
  readonly from?: Date
  /** Before this moment. */
  readonly to?: Date
  /** Words, each of which occurs in the entry. */
  readonly q?: string
}
