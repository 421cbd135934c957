/** Every port, over a database. */
import { Layer } from "effect"
import * as SqliteApiKeyStore from "../SqliteApiKeyStore.ts"
import * as SqliteAuditStore from "../SqliteAuditStore.ts"
import * as SqliteConnectionStore from "../SqliteConnectionStore.ts"
import * as SqliteConnectorStore from "../SqliteConnectorStore.ts"
import * as SqliteDocumentStore from "../SqliteDocumentStore.ts"
import * as SqliteJobStore from "../SqliteJobStore.ts"
import * as SqliteKnowledgeStore from "../SqliteKnowledgeStore.ts"
import * as SqliteOperatorStore from "../SqliteOperatorStore.ts"
import * as SqlitePeopleStore from "../SqlitePeopleStore.ts"
import * as SqliteQuestionStore from "../SqliteQuestionStore.ts"
import * as SqliteRateWindows from "../SqliteRateWindows.ts"
import * as SqliteSessionStore from "../SqliteSessionStore.ts"
import * as SqliteWebhookStore from "../SqliteWebhookStore.ts"
import * as SqliteSyncRunStore from "../SqliteSyncRunStore.ts"
import * as SqliteUsageStore from "../SqliteUsageStore.ts"
import * as SqliteWorkspaceStore from "../SqliteWorkspaceStore.ts"

export const ports = Layer.mergeAll(
  SqliteWorkspaceStore.layer,
  SqliteApiKeyStore.layer,
  SqliteConnectionStore.layer,
  SqliteConnectorStore.layer,
  SqliteDocumentStore.layer,
  SqliteKnowledgeStore.layer,
  SqliteJobStore.layer,
  SqliteRateWindows.layer,
  SqlitePeopleStore.layer,
  SqliteSessionStore.layer,
  SqliteSyncRunStore.layer,
  SqliteUsageStore.layer,
  SqliteAuditStore.layer,
  SqliteQuestionStore.layer,
  SqliteWebhookStore.layer,
  SqliteOperatorStore.layer
)
