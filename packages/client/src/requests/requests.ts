/** The types of requests: interfaces, which editors and compilers show by name. */
import type * as ApiKeys from "@tributary/core/model/ApiKey"
import type * as Asks from "@tributary/core/model/Ask"
import type * as Audit from "@tributary/core/model/AuditEntry"
import type * as Connections from "@tributary/core/model/Connection"
import type * as Connectors from "@tributary/core/model/Connector"
import type * as Lists from "@tributary/core/model/DocumentList"
import type * as Ingests from "@tributary/core/model/Ingest"
import type * as Settings from "@tributary/core/model/KnowledgeSettings"
import type * as Status from "@tributary/core/model/KnowledgeStatus"
import type * as Questions from "@tributary/core/model/Question"
import type * as Searches from "@tributary/core/model/Search"
import type * as Tokens from "@tributary/core/model/Token"
import type * as Webhooks from "@tributary/core/model/Webhook"
import type * as Workspaces from "@tributary/core/model/Workspace"
import type { Given } from "./Given.ts"

/** An API key to create. */
export interface NewApiKey extends Given<ApiKeys.NewApiKey> {}
/** A question, and the documents that may answer it. */
export interface AskRequest extends Given<Asks.AskRequest> {}
/** Which entries of the audit log are listed. */
export interface AuditFilter extends Given<Audit.AuditFilter> {}
/** A source to connect. */
export interface NewConnection extends Given<Connections.NewConnection> {}
/** Changes of a connection. */
export interface ConnectionPatch extends Given<Connections.ConnectionPatch> {}
/** Changes of how far back and how often a source is synced. */
export interface SyncConfigPatch extends Given<Connections.SyncConfigPatch> {}
/** A connector to create. */
export interface NewConnector extends Given<Connectors.NewConnector> {}
/** Changes of a connector. */
export interface ConnectorPatch extends Given<Connectors.ConnectorPatch> {}
/** Which documents are listed or deleted. */
export interface DocumentFilter extends Given<Lists.DocumentFilter> {}
/** Documents to delete: by their ids, or by a filter. */
export interface DocumentDeletion extends Given<Lists.DocumentDeletion> {}
/** Any JSON to ingest as a document. */
export interface JsonItem extends Given<Ingests.JsonItem> {}
/** A text to ingest as a document. */
export interface TextItem extends Given<Ingests.TextItem> {}
/** An item of a kind to ingest as a document. */
export interface TypedItem extends Given<Ingests.TypedItem> {}
/** Changes of the settings of the knowledge context. */
export interface KnowledgeSettingsPatch extends Given<Settings.KnowledgeSettingsPatch> {}
/** How to refresh the context. */
export interface RefreshRequest extends Given<Status.RefreshRequest> {}
/** Whether an answer was useful. */
export interface NewFeedback extends Given<Questions.NewFeedback> {}
/** A search, and the documents that it looks in. */
export interface SearchRequest extends Given<Searches.SearchRequest> {}
/** A token to create. */
export interface NewToken extends Given<Tokens.NewToken> {}
/** The documents that a token can see. */
export interface TokenFilter extends Given<Tokens.TokenFilter> {}
/** A webhook to create. */
export interface NewWebhook extends Given<Webhooks.NewWebhook> {}
/** Changes of a webhook. */
export interface WebhookPatch extends Given<Webhooks.WebhookPatch> {}
/** An account to create. */
export interface NewAccount extends Given<Workspaces.NewAccount> {}
/** Changes of the plan or the limits of a workspace. */
export interface WorkspacePatch extends Given<Workspaces.WorkspacePatch> {}
