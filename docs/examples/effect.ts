/** The knowledge service inside an application written with Effect, beside its own routes: one router for both. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Http from "@tributary/http/Http"
import * as Memory from "@tributary/memory/Memory"
import { Console, Deferred, Effect, Layer, Option, Redacted } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer } from "node:http"

const port = Number(process.env["PORT"] ?? 3000)
const adminToken = process.env["ADMIN_TOKEN"] ?? "change-me-change-me-change-me"

const services = Tributary.layer.pipe(Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)))
const hello = HttpRouter.add("GET", "/hello", HttpServerResponse.jsonUnsafe({ hello: "from the host" }))

const main = Effect.gen(function*() {
  const stopping = yield* Deferred.make<void>()
  const knowledge = Http.layer({
    baseUrl: process.env["BASE_URL"] ?? `http://localhost:${port}`,
    adminToken: Option.some(Redacted.make(adminToken)),
    mcp: () => import("@tributary/mcp/HttpEndpoint"),
    shutdown: Deferred.await(stopping)
  })
  yield* HttpRouter.serve(Layer.merge(knowledge, hello), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide([Http.layerRouting, services]),
    Layer.build
  )
  // Event streams have no end of their own to wait for. What is added last comes first when the scope closes.
  yield* Effect.addFinalizer(() => Deferred.succeed(stopping, undefined))
  const { address } = yield* HttpServer.HttpServer
  yield* Console.log(HttpServer.formatAddress(address))
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provide(
    NodeHttpServer.layer(() => createServer(), { port, host: "127.0.0.1", gracefulShutdownTimeout: "8 seconds" })
  )
)

NodeRuntime.runMain(main)
