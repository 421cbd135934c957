/** The types of answers: interfaces, which editors and compilers show by name. */
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

export type { AskJobStatus } from "@tributary/core/model/Ask"
export type { SyncConfig } from "@tributary/core/model/Connection"
export type { DocumentSort } from "@tributary/core/model/DocumentList"
export type { RejectedItem } from "@tributary/core/model/Error"
export type { Bound } from "@tributary/core/model/KnowledgeSettings"
export type { Feedback } from "@tributary/core/model/Question"
export type { DeliveryStatus, WebhookEventType } from "@tributary/core/model/Webhook"
export type { Problem } from "@tributary/http/api/ErrorBody"

/** An API key, without its secret. */
export interface ApiKey extends ApiKeys.ApiKey {}
/** A new API key, with its `secret`. */
export interface IssuedApiKey extends ApiKeys.IssuedApiKey {}

/** A quote that proves a part of an answer, with its document in `entity`. */
export interface Citation extends Asks.Citation {}
/** The answer to a question, with its citations. */
export interface Answer extends Asks.Answer {
  readonly citations: ReadonlyArray<Citation>
  readonly related?: ReadonlyArray<Citation>
}
/** One event of a streamed answer; `done` is the last, with the whole answer. */
export type AskEvent =
  | { readonly event: "citation"; readonly data: Citation }
  | { readonly event: "delta"; readonly data: { readonly text: string } }
  | { readonly event: "done"; readonly data: Answer }
/** A question that is answered in the background. */
export interface AskJob extends Asks.AskJob {}
/** The same, with the answer once it has succeeded. */
export interface AnsweredAskJob extends Asks.AnsweredAskJob {
  readonly result: Answer | null
}

/** Who did what, when and from where. */
export interface AuditEntry extends Audit.AuditEntry {}

/** A source that is synced on a schedule, without its secrets. */
export interface SourceConnection extends Connections.Connection {}
/** A kind of source, and the JSON Schema of its configuration. */
export interface ProviderDescription extends Connections.ProviderDescription {}
/** How syncing of a resource goes. */
export interface SyncState extends Connections.SyncState {}
/** A sync that has ended. */
export interface SyncRun extends Runs.SyncRun {}

/** A named source that pushes documents. */
export interface Connector extends Connectors.Connector {}

/** A document, without its text. */
export interface Document extends Documents.Document {}
/** A document with its text and the stored payload. */
export interface FullDocument extends Documents.FullDocument {}
/** A page of documents, with the number of matches. */
export interface DocumentList extends Lists.DocumentList {
  readonly documents: ReadonlyArray<Document>
}
/** What was deleted. */
export interface DeletedDocuments extends Lists.DeletedDocuments {}
/** A document was created, updated or deleted. */
export interface Event extends Documents.Event {}

/** What became of one item. */
export interface ItemOutcome extends Ingests.ItemOutcome {}
/** What became of the items of one request. */
export interface IngestResult extends Ingests.IngestResult {
  readonly items: ReadonlyArray<ItemOutcome>
}

/** The settings of the knowledge context. */
export interface KnowledgeSettings extends Settings.KnowledgeSettings {}
/** The state of the knowledge context. */
export interface KnowledgeStatus extends Status.KnowledgeStatus {}
/** A refresh that was started. */
export interface RefreshStarted extends Status.RefreshStarted {}

/** A question that was asked, with its feedback. */
export interface Question extends Questions.Question {}

/** A document, or a passage of one, that matches a search. */
export interface SearchResult extends Searches.SearchResult {}
/** One page of results. */
export interface SearchAnswer extends Searches.SearchAnswer {
  readonly results: ReadonlyArray<SearchResult>
}

/** A new token, which is shown only here. */
export interface IssuedToken extends Tokens.IssuedToken {}

/** What a workspace uses of its plan. */
export interface Usage extends Usages.Usage {}
/** The requests of one operation on one day. */
export interface OperationUsage extends Histories.OperationUsage {}
/** The use of one day. */
export interface DayUsage extends Histories.DayUsage {
  readonly operations: ReadonlyArray<OperationUsage>
}
/** The use of several days. */
export interface UsageHistory extends Histories.UsageHistory {
  readonly days: ReadonlyArray<DayUsage>
}

/** The last attempt of a delivery. */
export interface DeliveryAttempt extends Webhooks.DeliveryAttempt {}
/** An address that events are sent to, without its secret. */
export interface Webhook extends Webhooks.Webhook {}
/** A webhook with its new `secret`. */
export interface IssuedWebhook extends Webhooks.IssuedWebhook {}
/** An event that was, or will be, sent to a webhook. */
export interface WebhookDelivery extends Webhooks.WebhookDelivery {}

/** A workspace. */
export interface Workspace extends Workspaces.Workspace {}
/** A new workspace with its first key. */
export interface CreatedWorkspace extends Workspace {
  readonly api_key: IssuedApiKey
}
