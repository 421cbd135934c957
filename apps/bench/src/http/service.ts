/** The service in memory with filled workspaces, also for measurements in this process. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import type { ConnectorId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Http from "@tributary/http/Http"
import { serve } from "@tributary/http/NodeServer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Option } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { storedTexts } from "./storedTexts.ts"

export const services = Tributary.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provideMerge(Memory.layer),
  Layer.provide(Extract.layer)
)

export const newWorkspace = Effect.fnUntraced(function*(name: string) {
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name, tier: "pro" })
  const keys = yield* ApiKeys
  const { secret } = yield* keys.create(
    personal_workspace.workspace_id,
    { name, scopes: ["api:read", "api:write"] },
    OPERATOR
  )
  const connector = yield* (yield* Connectors).create(
    personal_workspace,
    { name, source_name: "bench" },
    OPERATOR
  )
  const { workspace } = yield* keys.authenticate(secret)
  return { workspace, secret, connectorId: connector.connector_id }
})

export const fill = Effect.fnUntraced(function*(workspace: WorkspaceRecord, connectorId: ConnectorId) {
  const ingest = yield* Ingest
  for (const items of storedTexts()) yield* ingest.text(workspace, connectorId, items)
  const context = yield* KnowledgeContext
  while ((yield* context.status(workspace.workspace_id)).pending_documents > 0) yield* Effect.sleep("100 millis")
})

const newApp = Http.app({
  baseUrl: "http://127.0.0.1",
  adminToken: Option.none(),
  mcp: () => import("@tributary/mcp/HttpEndpoint")
})

/** Serves the service on a free port. */
export const listen = Effect.gen(function*() {
  const server = createServer({ optimizeEmptyRequests: true })
  const app = yield* newApp
  yield* serve(server, app).pipe(
    Effect.provide(yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })))
  )
  return (server.address() as AddressInfo).port
})
