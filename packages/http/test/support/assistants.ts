/** A service on ports of this machine, for the official MCP clients: one store, as many nodes as a test opens. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Asks } from "@tributary/core/Asks"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { Scope as KeyScope } from "@tributary/core/model/Scope"
import { Workspaces } from "@tributary/core/Workspaces"
import { Effect, Exit, Layer, Option, Ref, Scope, Stream } from "effect"
import { createServer } from "node:http"
import * as Http from "../../src/Http.ts"
import { serve } from "../../src/mount/NodeServer.ts"
import { tributary } from "./services.ts"

const EVERYTHING: ReadonlyArray<KeyScope> = ["api:read", "api:write"]

/** Questions that begin with "slow" are never answered; the started and the interrupted ones are counted. */
const slow = (begun: Ref.Ref<number>, interrupted: Ref.Ref<number>) => {
  const hang = Effect.andThen(
    Ref.update(begun, (count) => count + 1),
    Effect.onInterrupt(Effect.never, () => Ref.update(interrupted, (count) => count + 1))
  )
  return Layer.effect(
    Asks,
    Effect.map(Asks, (asks) => ({
      ...asks,
      ask: (workspaceId, request) => request.query.startsWith("slow") ? hang : asks.ask(workspaceId, request),
      stream: (workspaceId, request) =>
        request.query.startsWith("slow")
          ? Effect.succeed(Stream.fromEffectDrain(hang))
          : asks.stream(workspaceId, request)
    }))
  )
}

export const assistants = Effect.gen(function*() {
  const [begun, interrupted] = [yield* Ref.make(0), yield* Ref.make(0)]
  const services = yield* Layer.build(
    slow(begun, interrupted).pipe(Layer.provideMerge(tributary(yield* Ref.make(false))))
  )
  const within = Effect.provide(services)

  const openNode = Effect.gen(function*() {
    const scope = yield* Scope.make()
    const server = createServer()
    const build = Effect.gen(function*() {
      const app = yield* Http.app({
        baseUrl: "http://kb.test",
        adminToken: Option.none(),
        mcp: () => import("@tributary/mcp/HttpEndpoint")
      })
      const platform = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
      yield* Effect.provide(serve(server, app), platform)
      const address = server.address()
      return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : ""
    })
    const url = yield* build.pipe(Scope.provide(scope), within)
    const close = Effect.andThen(
      Effect.sync(() => server.closeAllConnections()),
      Scope.close(scope, Exit.void)
    )
    yield* Effect.addFinalizer(() => close)
    return { url, close }
  })

  const newWorkspace = Effect.gen(function*() {
    const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "A", tier: "pro" })
    const { workspace_id } = personal_workspace
    const newKey = (scopes: ReadonlyArray<KeyScope> = EVERYTHING) =>
      Effect.flatMap(ApiKeys, (keys) => keys.create(workspace_id, { name: "K", scopes }, OPERATOR)).pipe(within)
    return { workspace_id, newKey, key: (yield* newKey()).secret }
  }).pipe(within)

  return { openNode, newWorkspace, begun, interrupted }
})

/** Polls, since what is waited for happens in another process of events: a socket that closes. */
export const until = <E>(condition: Effect.Effect<boolean, E>): Effect.Effect<void, E> =>
  Effect.flatMap(
    condition,
    (holds) => holds ? Effect.void : Effect.andThen(Effect.sleep("10 millis"), Effect.suspend(() => until(condition)))
  )

/** A request of the public API. */
export const rest = async (url: string, key: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: await response.json() }
}
