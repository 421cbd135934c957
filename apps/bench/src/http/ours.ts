/** The service in memory, as a separate process. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { serve as listen } from "@tributary/http/NodeServer"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { report } from "./child.ts"
import * as CountedIndex from "./countedIndex.ts"
import { fill, newApp, newWorkspace, services } from "./service.ts"

const serve = Effect.gen(function*() {
  const empty = yield* newWorkspace("Empty")
  const growing = yield* newWorkspace("Growing")
  const searched = yield* newWorkspace("Searched")
  yield* fill(searched.workspace, searched.connectorId)
  const server = createServer()
  const app = yield* newApp
  yield* listen(server, app).pipe(
    Effect.provide(yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })))
  )
  report({
    port: (server.address() as AddressInfo).port,
    key: empty.secret,
    searchKey: searched.secret,
    ingestKey: growing.secret,
    connectorId: growing.connectorId
  }, CountedIndex.indexTime)
  return yield* Effect.never
})

const counted = Layer.provide(services, CountedIndex.layer)

await Effect.runPromise(serve.pipe(Effect.scoped, Effect.provide(counted)))
