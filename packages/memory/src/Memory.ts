/**
 * Every port in memory: for tests, for demonstrations, and for embedding without a database.
 *
 * All ports share one state, which lives as long as the layer. Nothing survives the process.
 */
import { Layer } from "effect"
import { State } from "./internal/State.ts"
import * as MemoryApiKeyStore from "./MemoryApiKeyStore.ts"
import * as MemoryAuditStore from "./MemoryAuditStore.ts"
import * as MemoryConnectionStore from "./MemoryConnectionStore.ts"
import * as MemoryConnectorStore from "./MemoryConnectorStore.ts"
import * as MemoryDocumentStore from "./MemoryDocumentStore.ts"
import * as MemoryJobStore from "./MemoryJobStore.ts"
import * as MemoryKnowledgeStore from "./MemoryKnowledgeStore.ts"
import * as MemoryOperatorStore from "./MemoryOperatorStore.ts"
import * as MemoryPeopleStore from "./MemoryPeopleStore.ts"
import * as MemoryQuestionStore from "./MemoryQuestionStore.ts"
import * as MemoryRateWindows from "./MemoryRateWindows.ts"
import * as MemorySessionStore from "./MemorySessionStore.ts"
import * as MemoryWebhookStore from "./MemoryWebhookStore.ts"
import * as MemorySyncRunStore from "./MemorySyncRunStore.ts"
import * as MemoryUsageStore from "./MemoryUsageStore.ts"
import * as MemoryWorkspaceStore from "./MemoryWorkspaceStore.ts"

export const layer = Layer.mergeAll(
  MemoryWorkspaceStore.layer,
  MemoryApiKeyStore.layer,
  MemoryConnectionStore.layer,
  MemoryConnectorStore.layer,
  MemoryDocumentStore.layer,
  MemoryKnowledgeStore.layer,
  MemoryJobStore.layer,
  MemoryRateWindows.layer,
  MemoryPeopleStore.layer,
  MemorySessionStore.layer,
  MemorySyncRunStore.layer,
  MemoryUsageStore.layer,
  MemoryAuditStore.layer,
  MemoryQuestionStore.layer,
  MemoryWebhookStore.layer,
  MemoryOperatorStore.layer
).pipe(Layer.provide(State.layer))
