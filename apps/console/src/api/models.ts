/** The API's models as JSON, in which timestamps are strings. */
import type * as Ask from "@tributary/core/model/Ask"
import type * as Connection from "@tributary/core/model/Connection"
import type * as Connector from "@tributary/core/model/Connector"
import type * as Document from "@tributary/core/model/Document"
import type * as List from "@tributary/core/model/DocumentList"
import type * as Ingest from "@tributary/core/model/Ingest"
import type * as Knowledge from "@tributary/core/model/KnowledgeSettings"
import type * as Status from "@tributary/core/model/KnowledgeStatus"
import type * as Questions from "@tributary/core/model/Question"
import type * as Search from "@tributary/core/model/Search"
import type * as Hook from "@tributary/core/model/Webhook"
import type * as Run from "@tributary/core/model/SyncRun"
import type * as Used from "@tributary/core/model/Usage"
import type * as History from "@tributary/core/model/UsageHistory"

export type AskRequest = typeof Ask.AskRequest.Encoded
export type Answer = typeof Ask.Answer.Encoded
export type Citation = typeof Ask.Citation.Encoded
export type AskEvent = typeof Ask.AskEvent.Encoded
export type AskJob = typeof Ask.AskJob.Encoded
export type AskJobStatus = Ask.AskJobStatus
export type AnsweredAskJob = typeof Ask.AnsweredAskJob.Encoded

export type SearchRequest = typeof Search.SearchRequest.Encoded
export type SearchResult = typeof Search.SearchResult.Encoded
export type SearchAnswer = typeof Search.SearchAnswer.Encoded

export type StoredDocument = typeof Document.Document.Encoded
export type FullDocument = typeof Document.FullDocument.Encoded
export type DocumentFilter = typeof List.DocumentFilter.Encoded
export type DocumentSort = List.DocumentSort
export type DocumentList = typeof List.DocumentList.Encoded
export type DeletedDocuments = typeof List.DeletedDocuments.Encoded
export type WorkspaceEvent = typeof Document.Event.Encoded
export type NewText = typeof Ingest.TextItem.Encoded
export type IngestResult = typeof Ingest.IngestResult.Encoded

export type CustomConnector = typeof Connector.Connector.Encoded
export type NewConnector = typeof Connector.NewConnector.Encoded
export type ConnectorPatch = typeof Connector.ConnectorPatch.Encoded

export type SourceConnection = typeof Connection.Connection.Encoded
export type NewConnection = typeof Connection.NewConnection.Encoded
export type ConnectionPatch = typeof Connection.ConnectionPatch.Encoded
export type SyncState = typeof Connection.SyncState.Encoded
export type SyncRun = typeof Run.SyncRun.Encoded
export type SyncConfig = typeof Connection.SyncConfig.Encoded
export type ProviderDescription = typeof Connection.ProviderDescription.Encoded

export type Webhook = typeof Hook.Webhook.Encoded
export type WebhookEventType = Hook.WebhookEventType
export type NewWebhook = typeof Hook.NewWebhook.Encoded
export type WebhookPatch = typeof Hook.WebhookPatch.Encoded
export type IssuedWebhook = typeof Hook.IssuedWebhook.Encoded
export type WebhookDelivery = typeof Hook.WebhookDelivery.Encoded
export type Question = typeof Questions.Question.Encoded
export type NewFeedback = typeof Questions.NewFeedback.Encoded

export type KnowledgeSettings = typeof Knowledge.KnowledgeSettings.Encoded
export type KnowledgeSettingsPatch = typeof Knowledge.KnowledgeSettingsPatch.Encoded
export type KnowledgeStatus = typeof Status.KnowledgeStatus.Encoded
export type DayUsage = typeof History.DayUsage.Encoded
export type UsageHistory = typeof History.UsageHistory.Encoded
export type Usage = typeof Used.Usage.Encoded
