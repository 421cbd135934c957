/** The real service over memory, on a port of this machine. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { Scope as KeyScope } from "@tributary/core/model/Scope"
import type { Tier } from "@tributary/core/model/Plan"
import * as Core from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Http from "@tributary/http/Http"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { createServer } from "node:http"
import { createClient } from "../../src/promise.ts"

export const ADMIN_TOKEN = "operator-token-of-the-tests"

const services = Core.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provideMerge(Layer.merge(Memory.layer, Extract.layer))
)

export const startService = async () => {
  const server = createServer()
  const routes = Http.layer({ baseUrl: "http://service", adminToken: Option.some(Redacted.make(ADMIN_TOKEN)) })
  const served = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Http.layerRouting),
    Layer.provideMerge(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
    Layer.provideMerge(services)
  )
  const runtime = ManagedRuntime.make(served)
  await runtime.context()
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`

  const newKey = (tier: Tier = "pro", scopes: ReadonlyArray<KeyScope> = ["api:read", "api:write"]) =>
    runtime.runPromise(Effect.gen(function*() {
      const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Account", tier })
      const key = yield* (yield* ApiKeys).create(personal_workspace.workspace_id, { name: "Key", scopes }, OPERATOR)
      return { key: key.secret, workspaceId: personal_workspace.workspace_id }
    }))

  /** A client of a new workspace with one connector. */
  const connected = async (tier: Tier = "pro") => {
    const { key, workspaceId } = await newKey(tier)
    const client = createClient({ baseUrl, apiKey: key, retries: { attempts: 1 } })
    const { connector_id } = await client.connectors.create({ name: "Notes", source_name: "notes" })
    return { client, connector_id, workspaceId }
  }

  const limit = (workspaceId: string, limits: { readonly documents?: number; readonly doc_size?: number }) =>
    runtime.runPromise(Effect.flatMap(Workspaces, (workspaces) => workspaces.update(workspaceId, { limits })))

  return { baseUrl, newKey, connected, limit, stop: () => runtime.dispose() }
}
