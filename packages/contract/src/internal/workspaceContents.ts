/** All that a workspace shows, for comparing before and after. */
import type { ConnectorId, WorkspaceId } from "@tributary/core/model/Id"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"

export const workspaceContents = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, connectorId: ConnectorId, queue: string) {
    const connectors = yield* ConnectorStore
    const documents = yield* DocumentStore
    const all = { limit: 1_000, after: null, since: 0, source: null, kind: null, status: null, externalId: null }
    return {
      workspace: yield* (yield* WorkspaceStore).find(workspaceId),
      keys: yield* (yield* ApiKeyStore).list(workspaceId),
      connectors: yield* connectors.list(workspaceId, true),
      connector: yield* connectors.find(workspaceId, connectorId),
      listed: yield* documents.list(workspaceId, connectorId, all),
      documents: yield* documents.scan(workspaceId, null, 1_000),
      changes: yield* documents.changes(workspaceId, 0, 1_000),
      events: yield* documents.events(workspaceId, all),
      meters: yield* documents.meters(workspaceId),
      head: yield* (yield* KnowledgeStore).head(workspaceId),
      pending: yield* (yield* KnowledgeStore).countPending(workspaceId, 0),
      jobs: yield* (yield* JobStore).list(workspaceId, queue, all)
    }
  }
)
