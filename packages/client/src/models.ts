/** The types of requests and answers. */
export type { ApiKey, IssuedApiKey, NewApiKey } from "@tributary/core/model/ApiKey"
export type { Answer, AnsweredAskJob, AskJob, AskJobStatus, AskRequest, Citation } from "@tributary/core/model/Ask"
export type { AuditEntry, AuditFilter } from "@tributary/core/model/AuditEntry"
export type {
  Connection as SourceConnection,
  ConnectionPatch,
  NewConnection,
  ProviderDescription,
  SyncConfig,
  SyncConfigPatch,
  SyncState
} from "@tributary/core/model/Connection"
export type { Connector, ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
export type { Document, Event, FullDocument } from "@tributary/core/model/Document"
export type {
  DeletedDocuments,
  DocumentDeletion,
  DocumentFilter,
  DocumentList,
  DocumentSort
} from "@tributary/core/model/DocumentList"
export type { RejectedItem } from "@tributary/core/model/Error"
export type { IngestResult, ItemOutcome, JsonItem, TextItem, TypedItem } from "@tributary/core/model/Ingest"
export type { Bound, KnowledgeSettings, KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
export type { KnowledgeStatus, RefreshRequest, RefreshStarted } from "@tributary/core/model/KnowledgeStatus"
export type { Feedback, NewFeedback, Question } from "@tributary/core/model/Question"
export type { SearchAnswer, SearchRequest, SearchResult } from "@tributary/core/model/Search"
export type { SyncRun } from "@tributary/core/model/SyncRun"
export type { IssuedToken, NewToken, TokenFilter } from "@tributary/core/model/Token"
export type { Usage } from "@tributary/core/model/Usage"
export type { DayUsage, OperationUsage, UsageHistory } from "@tributary/core/model/UsageHistory"
export type {
  DeliveryAttempt,
  DeliveryStatus,
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookEventType,
  WebhookPatch
} from "@tributary/core/model/Webhook"
export type { NewAccount, Workspace, WorkspacePatch } from "@tributary/core/model/Workspace"
export type { Problem } from "@tributary/http/api/ErrorBody"
