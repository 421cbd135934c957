/** What the API sends, as it travels: moments are text. */
import type * as Ask from "@tributary/core/model/Ask"
import type * as Connection from "@tributary/core/model/Connection"
import type * as Connector from "@tributary/core/model/Connector"
import type * as Document from "@tributary/core/model/Document"
import type * as List from "@tributary/core/model/DocumentList"
import type * as Ingest from "@tributary/core/model/Ingest"
import type * as Knowledge from "@tributary/core/model/KnowledgeSettings"
import type * as Status from "@tributary/core/model/KnowledgeStatus"
import type * as Search from "@tributary/core/model/Search"
import type * as Used from "@tributary/core/model/Usage"

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
export type IngestResult = typeof Ingest.IngestResult.Encoded

export type CustomConnector = typeof Connector.Connector.Encoded
export type NewConnector = typeof Connector.NewConnector.Encoded
export type ConnectorPatch = typeof Connector.ConnectorPatch.Encoded

export type SourceConnection = typeof Connection.Connection.Encoded
export type NewConnection = typeof Connection.NewConnection.Encoded
export type ConnectionPatch = typeof Connection.ConnectionPatch.Encoded
export type SyncState = typeof Connection.SyncState.Encoded
export type SyncConfig = typeof Connection.SyncConfig.Encoded
export type ProviderDescription = typeof Connection.ProviderDescription.Encoded

export type KnowledgeSettings = typeof Knowledge.KnowledgeSettings.Encoded
export type KnowledgeSettingsPatch = typeof Knowledge.KnowledgeSettingsPatch.Encoded
export type KnowledgeStatus = typeof Status.KnowledgeStatus.Encoded
export type Usage = typeof Used.Usage.Encoded
