/** The types of requests and answers. Those of answers are interfaces, which editors and compilers show by name. */
import type * as ApiKeys from "@tributary/core/model/ApiKey"
import type * as Asks from "@tributary/core/model/Ask"
import type * as Audit from "@tributary/core/model/AuditEntry"
import type * as Connections from "@tributary/core/model/Connection"
import type * as Connectors from "@tributary/core/model/Connector"
import type * as Documents from "@tributary/core/model/Document"
import type * as Lists from "@tributary/core/model/DocumentList"
import type * as Ingests from "@tributary/core/model/Ingest"
import type * as Settings from "@tributary/core/model/KnowledgeSettings"
import type * as Status from "@tributary/core/model/KnowledgeStatus"
import type * as Questions from "@tributary/core/model/Question"
import type * as Searches from "@tributary/core/model/Search"
import type * as Runs from "@tributary/core/model/SyncRun"
import type * as Tokens from "@tributary/core/model/Token"
import type * as Usages from "@tributary/core/model/Usage"
import type * as Histories from "@tributary/core/model/UsageHistory"
import type * as Webhooks from "@tributary/core/model/Webhook"
import type * as Workspaces from "@tributary/core/model/Workspace"

export type { NewApiKey } from "@tributary/core/model/ApiKey"
export type { AskJobStatus, AskRequest } from "@tributary/core/model/Ask"
export type { AuditFilter } from "@tributary/core/model/AuditEntry"
export type { ConnectionPatch, NewConnection, SyncConfig, SyncConfigPatch } from "@tributary/core/model/Connection"
export type { ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
export type { DocumentDeletion, DocumentFilter, DocumentSort } from "@tributary/core/model/DocumentList"
export type { RejectedItem } from "@tributary/core/model/Error"
export type { JsonItem, TextItem, TypedItem } from "@tributary/core/model/Ingest"
export type { Bound, KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
export type { RefreshRequest } from "@tributary/core/model/KnowledgeStatus"
export type { Feedback, NewFeedback } from "@tributary/core/model/Question"
export type { SearchRequest } from "@tributary/core/model/Search"
export type { NewToken, TokenFilter } from "@tributary/core/model/Token"
export type { DeliveryStatus, NewWebhook, WebhookEventType, WebhookPatch } from "@tributary/core/model/Webhook"
export type { NewAccount, WorkspacePatch } from "@tributary/core/model/Workspace"
export type { Problem } from "@tributary/http/api/ErrorBody"

export interface ApiKey extends ApiKeys.ApiKey {}
export interface IssuedApiKey extends ApiKeys.IssuedApiKey {}

export interface Citation extends Asks.Citation {}
export interface Answer extends Asks.Answer {
  readonly citations: ReadonlyArray<Citation>
  readonly related?: ReadonlyArray<Citation>
}
/** One event of a streamed answer; `done` is the last, with the whole answer. */
export type AskEvent =
  | { readonly event: "citation"; readonly data: Citation }
  | { readonly event: "delta"; readonly data: { readonly text: string } }
  | { readonly event: "done"; readonly data: Answer }
export interface AskJob extends Asks.AskJob {}
export interface AnsweredAskJob extends Asks.AnsweredAskJob {
  readonly result: Answer | null
}

export interface AuditEntry extends Audit.AuditEntry {}

export interface SourceConnection extends Connections.Connection {}
export interface ProviderDescription extends Connections.ProviderDescription {}
export interface SyncState extends Connections.SyncState {}
export interface SyncRun extends Runs.SyncRun {}

export interface Connector extends Connectors.Connector {}

export interface Document extends Documents.Document {}
export interface FullDocument extends Documents.FullDocument {}
export interface DocumentList extends Lists.DocumentList {
  readonly documents: ReadonlyArray<Document>
}
export interface DeletedDocuments extends Lists.DeletedDocuments {}
export interface Event extends Documents.Event {}

export interface ItemOutcome extends Ingests.ItemOutcome {}
export interface IngestResult extends Ingests.IngestResult {
  readonly items: ReadonlyArray<ItemOutcome>
}

export interface KnowledgeSettings extends Settings.KnowledgeSettings {}
export interface KnowledgeStatus extends Status.KnowledgeStatus {}
export interface RefreshStarted extends Status.RefreshStarted {}

export interface Question extends Questions.Question {}

export interface SearchResult extends Searches.SearchResult {}
export interface SearchAnswer extends Searches.SearchAnswer {
  readonly results: ReadonlyArray<SearchResult>
}

export interface IssuedToken extends Tokens.IssuedToken {}

export interface Usage extends Usages.Usage {}
export interface OperationUsage extends Histories.OperationUsage {}
export interface DayUsage extends Histories.DayUsage {
  readonly operations: ReadonlyArray<OperationUsage>
}
export interface UsageHistory extends Histories.UsageHistory {
  readonly days: ReadonlyArray<DayUsage>
}

export interface DeliveryAttempt extends Webhooks.DeliveryAttempt {}
export interface Webhook extends Webhooks.Webhook {}
export interface IssuedWebhook extends Webhooks.IssuedWebhook {}
export interface WebhookDelivery extends Webhooks.WebhookDelivery {}

export interface Workspace extends Workspaces.Workspace {}
/** A new workspace with its first key. */
export interface CreatedWorkspace extends Workspace {
  readonly api_key: IssuedApiKey
}
