/** The service over memory, as a process of its own. */
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
import { inOnePiece } from "@tributary/http/OnePiece"
import * as Memory from "@tributary/memory/Memory"
import * as Telemetry from "@tributary/node/Telemetry"
import { Effect, Layer, Option, Redacted } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { report } from "./child.ts"
import { storedTexts } from "./storedTexts.ts"

const services = Tributary.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provideMerge(Memory.layer),
  Layer.provide(Extract.layer)
)

const newWorkspace = Effect.fnUntraced(function*(name: string) {
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name, tier: "pro" })
  const keys = yield* ApiKeys
  const { secret } = yield* keys.create(
    personal_workspace.workspace_id,
    { name, scopes: ["api:read", "api:write"] },
    OPERATOR
  )
  const connector = yield* (yield* Connectors).create(
    personal_workspace.workspace_id,
    { name, source_name: "bench" },
    OPERATOR
  )
  const { workspace } = yield* keys.authenticate(Redacted.make(secret))
  return { workspace, secret, connectorId: connector.connector_id }
})

const fill = Effect.fnUntraced(function*(workspace: WorkspaceRecord, connectorId: ConnectorId) {
  const ingest = yield* Ingest
  for (const items of storedTexts()) yield* ingest.text(workspace, connectorId, items)
  const context = yield* KnowledgeContext
  while ((yield* context.status(workspace.workspace_id)).pending_documents > 0) yield* Effect.sleep("100 millis")
})

const serve = Effect.gen(function*() {
  const empty = yield* newWorkspace("Empty")
  const growing = yield* newWorkspace("Growing")
  const searched = yield* newWorkspace("Searched")
  yield* fill(searched.workspace, searched.connectorId)
  const server = createServer()
  const app = yield* Http.app({ baseUrl: "http://127.0.0.1", adminToken: Option.none() })
  yield* HttpServer.serveEffect(inOnePiece(app)).pipe(
    Effect.provide(yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })))
  )
  report({
    port: (server.address() as AddressInfo).port,
    key: empty.secret,
    searchKey: searched.secret,
    ingestKey: growing.secret,
    connectorId: growing.connectorId
  })
  return yield* Effect.never
})

const { TRIBUTARY_BENCH_COLLECTOR: url, TRIBUTARY_BENCH_RATIO: ratio } = process.env
const telemetry = url === undefined ? Layer.empty : Telemetry.layer({ url, ratio: Number(ratio) })

await Effect.runPromise(serve.pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, telemetry))))
