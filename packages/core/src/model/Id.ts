/** Identifiers: UUIDs in lower case, branded by kind. */
import { type Option, Schema } from "effect"

const uuid = Schema.String.check(Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u))

export const AccountId = uuid.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const WorkspaceId = uuid.pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

export const ApiKeyId = uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

export const ConnectorId = uuid.pipe(Schema.brand("ConnectorId"))
export type ConnectorId = typeof ConnectorId.Type

export const ConnectionId = uuid.pipe(Schema.brand("ConnectionId"))
export type ConnectionId = typeof ConnectionId.Type

export const DocumentId = uuid.pipe(Schema.brand("DocumentId"))
export type DocumentId = typeof DocumentId.Type

export const EventId = uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

export const JobId = uuid.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

export const QuestionId = uuid.pipe(Schema.brand("QuestionId"))
export type QuestionId = typeof QuestionId.Type

export const SnapshotId = uuid.pipe(Schema.brand("SnapshotId"))
export type SnapshotId = typeof SnapshotId.Type

export const SyncRunId = uuid.pipe(Schema.brand("SyncRunId"))
export type SyncRunId = typeof SyncRunId.Type

export const UserId = uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const SessionId = uuid.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

export const InvitationId = uuid.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const WebhookId = uuid.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

export const AuditEntryId = uuid.pipe(Schema.brand("AuditEntryId"))
export type AuditEntryId = typeof AuditEntryId.Type

export const OperatorId = uuid.pipe(Schema.brand("OperatorId"))
export type OperatorId = typeof OperatorId.Type

/** Parses an id in any case; none if it is not a UUID, which callers report as not found. */
export const parseId = <A extends string>(schema: Schema.Codec<A, string>) => (text: string): Option.Option<A> =>
  Schema.decodeOption(schema)(text.toLowerCase())
