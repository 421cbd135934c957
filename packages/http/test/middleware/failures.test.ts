// Internal errors, slow reads and disconnected clients (interface.md "Errors"; decisions 6).
import { ApiKeys } from "@tributary/core/ApiKeys"
import { Asks } from "@tributary/core/Asks"
import { AuditLog } from "@tributary/core/AuditLog"
import { Connections } from "@tributary/core/Connections"
import { Connectors } from "@tributary/core/Connectors"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { Invitations } from "@tributary/core/Invitations"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { Meters } from "@tributary/core/Meters"
import type { ApiKey } from "@tributary/core/model/ApiKey"
import { Overloaded, StorageUnavailable, Unprocessable } from "@tributary/core/model/Error"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { OperatorLog } from "@tributary/core/OperatorLog"
import { Operators } from "@tributary/core/Operators"
import { People } from "@tributary/core/People"
import { Questions } from "@tributary/core/Questions"
import { RateLimits } from "@tributary/core/RateLimits"
import { Search } from "@tributary/core/Search"
import { Sessions } from "@tributary/core/Sessions"
import { Syncs } from "@tributary/core/Syncs"
import { SignedInPrograms } from "@tributary/core/SignedInPrograms"
import { Tokens } from "@tributary/core/Tokens"
import { Webhooks } from "@tributary/core/Webhooks"
import { UsageLog } from "@tributary/core/UsageLog"
import { Workspaces } from "@tributary/core/Workspaces"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Option, Ref, Scope } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { TestClock } from "effect/testing"
import * as Http from "../../src/Http.ts"

const anyone = Layer.mock(ApiKeys, {
  authenticate: () =>
    Effect.succeed({
      key: { key_id: "k", scopes: ["api:read", "api:write"] } as unknown as ApiKey,
      workspace: { workspace_id: "w", suspended: false } as unknown as WorkspaceRecord
    })
})

const noTokens = Layer.mock(Tokens, { authenticate: () => undefined })

const noProgram = Layer.mock(SignedInPrograms, { issuer: null })

/** The service over parts that a test makes, each of which dies when it is touched unasked. */
const serving = Effect.fnUntraced(
  function*(parts: Layer.Layer<Asks> | Layer.Layer<Connectors> | Layer.Layer<Meters> | Layer.Layer<Workspaces>) {
    const others = Layer.mergeAll(
      anyone,
      noTokens,
      noProgram,
      Layer.mock(Asks, {}),
      Layer.mock(AuditLog, {}),
      Layer.mock(Connections, { providers: [] }),
      Layer.mock(Connectors, {}),
      Layer.mock(Documents, {}),
      Layer.mock(Ingest, {}),
      Layer.mock(Invitations, {}),
      Layer.mock(KnowledgeContext, {}),
      Layer.mock(Meters, {}),
      Layer.mock(RateLimits, { take: () => Effect.succeed(null) }),
      Layer.mock(OperatorLog, {}),
      Layer.mock(Operators, { list: Effect.succeed([]) }),
      Layer.mock(People, {}),
      Layer.mock(Questions, {}),
      Layer.mock(Search, {}),
      Layer.mock(Sessions, { hasProvider: false }),
      Layer.mock(Syncs, {}),
      Layer.mock(Webhooks, {}),
      Layer.mock(UsageLog, { record: () => {} }),
      Layer.mock(Workspaces, {})
    )
    const services = yield* Layer.build(Layer.provideMerge(parts as Layer.Layer<Connectors>, others))
    const app = yield* Http.app({ baseUrl: "http://x", adminToken: Option.none(), requestTimeout: "20 seconds" }).pipe(
      Effect.provide(services)
    )
    const scope = yield* Effect.scope
    return Effect.fnUntraced(function*(method: string, path: string, body?: unknown) {
      const request = new Request(`http://x${path}`, {
        method,
        headers: { authorization: "Bearer x", "x-request-id": "the-request" },
        ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) })
      })
      const response = yield* app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
        Effect.provideService(Scope.Scope, yield* Scope.fork(scope)),
        Effect.orDie
      )
      const web = HttpServerResponse.toWeb(response)
      return { status: web.status, headers: web.headers, body: (yield* Effect.promise(() => web.json())) as unknown }
    })
  }
)

const UNAVAILABLE = "The service is currently experiencing issues. Please try again later."

const recorded = () => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return { lines, layer: Logger.layer([logger]) }
}

describe("500 internal_server_error", () => {
  it.effect("has only the request id; the cause is in the log under that id", () => {
    const { layer, lines } = recorded()
    return Effect.gen(function*() {
      const send = yield* serving(Layer.mock(Meters, { current: () => Effect.die(new Error("secret detail")) }))
      const { body, headers, status } = yield* send("GET", "/v1/usage/current")
      assert.deepStrictEqual([status, body], [500, {
        error_code: "internal_server_error",
        message: "An unexpected error occurred.",
        details: { request_id: "the-request" }
      }])
      assert.strictEqual(headers.get("x-request-id"), "the-request")
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], "secret detail")
      assert.include(lines[0], "the-request")
    }).pipe(Effect.provide(layer))
  })

  it.effect("also if an answer does not have its own form", () =>
    Effect.gen(function*() {
      const send = yield* serving(Layer.mock(Meters, { current: () => Effect.succeed({ wrong: true } as never) }))
      assert.strictEqual((yield* send("GET", "/v1/usage/current")).status, 500)
    }).pipe(Effect.provide(recorded().layer)))
})

describe("503 service_unavailable", () => {
  it.effect("if the storage cannot answer, with Retry-After; the cause is only in the log", () => {
    const { layer, lines } = recorded()
    return Effect.gen(function*() {
      const cause = new Error("connection refused")
      const send = yield* serving(Layer.mock(Meters, { current: () => Effect.fail(new StorageUnavailable({ cause })) }))
      const { body, headers, status } = yield* send("GET", "/v1/usage/current")
      assert.deepStrictEqual([status, body], [503, {
        error_code: "service_unavailable",
        message: UNAVAILABLE,
        details: null
      }])
      assert.match(headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
      assert.include(lines.join(), "connection refused")
      assert.include(lines.join(), "the-request")
    }).pipe(Effect.provide(layer))
  })

  it.effect("is also the answer of /readyz, with the cause in the log", () => {
    const { layer, lines } = recorded()
    return Effect.gen(function*() {
      const cause = new Error("connection refused")
      const send = yield* serving(
        Layer.mock(Workspaces, { list: () => Effect.fail(new StorageUnavailable({ cause })) })
      )
      const { headers, status } = yield* send("GET", "/readyz")
      assert.strictEqual(status, 503)
      assert.isNotNull(headers.get("retry-after"))
      assert.include(lines.join(), "connection refused")
    }).pipe(Effect.provide(layer))
  })

  it.effect("if the maximum of jobs waits", () =>
    Effect.gen(function*() {
      const full = Layer.mock(Asks, { askLater: () => Effect.fail(new Overloaded({ message: "Full." })) })
      const send = yield* serving(full)
      const { body, headers, status } = yield* send("POST", "/v1/knowledge/ask", { query: "q", async: true })
      assert.deepStrictEqual([status, body], [503, {
        error_code: "service_unavailable",
        message: "Full.",
        details: null
      }])
      assert.isNotNull(headers.get("retry-after"))
    }))

  it.effect("if a read exceeds its timeout", () =>
    Effect.gen(function*() {
      const send = yield* serving(Layer.mock(Meters, { current: () => Effect.never }))
      const fiber = yield* Effect.forkChild(send("GET", "/v1/usage/current"))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).status, 503)
    }))

  it.effect("never while a write continues, whose own answer is waited for", () =>
    Effect.gen(function*() {
      const [begun, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const taken = new Unprocessable({ message: "It exists." })
      const creating = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(gate)),
        Effect.andThen(Effect.fail(taken))
      )
      const send = yield* serving(Layer.mock(Connectors, { create: () => creating }))
      const fiber = yield* Effect.forkChild(send("POST", "/v1/custom-connectors", { name: "n", source_name: "s" }))
      yield* Deferred.await(begun)
      yield* TestClock.adjust("20 seconds")
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual((yield* Fiber.join(fiber)).status, 422)
    }))
})

describe("A counted request", () => {
  const window = { limit: 5, remaining: 3, reset: 40, window_seconds: 60 }
  const limited = Layer.mock(RateLimits, { take: () => Effect.succeed(window) })

  it.effect("has the rate-limit headers in every error, too", () =>
    Effect.gen(function*() {
      const failures: ReadonlyArray<readonly [number, Effect.Effect<never, Overloaded>]> = [
        [500, Effect.die(new Error("defect"))],
        [503, Effect.fail(new Overloaded({ message: "Full." }))],
        [503, Effect.never]
      ]
      for (const [expected, failure] of failures) {
        const send = yield* serving(Layer.merge(Layer.mock(Asks, { askLater: () => failure }), limited))
        const fiber = yield* Effect.forkChild(send("POST", "/v1/knowledge/ask", { query: "q", async: true }))
        yield* TestClock.adjust("20 seconds")
        const { headers, status } = yield* Fiber.join(fiber)
        assert.strictEqual(status, expected)
        const named = ["limit", "remaining", "reset", "policy"].map((part) => headers.get(`ratelimit-${part}`))
        assert.deepStrictEqual(named, ["5", "3", "40", "5;w=60"])
      }
    }).pipe(Effect.provide(recorded().layer)))
})

describe("A client that disconnects", () => {
  it.effect("stops a read, and does not stop a write that has started", () =>
    Effect.gen(function*() {
      const stopped = yield* Ref.make(0)
      const done = yield* Ref.make(0)
      const begun = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const reading = Effect.never.pipe(Effect.onInterrupt(() => Ref.update(stopped, (count) => count + 1)))
      const writing = Deferred.succeed(begun, undefined).pipe(
        Effect.andThen(Deferred.await(gate)),
        Effect.andThen(Ref.update(done, (count) => count + 1)),
        Effect.as([] as never)
      )
      const send = yield* serving(Layer.mock(Connectors, { list: () => reading, create: () => writing }))
      const reader = yield* Effect.forkChild(send("GET", "/v1/custom-connectors"), { startImmediately: true })
      yield* Fiber.interrupt(reader)
      assert.strictEqual(yield* Ref.get(stopped), 1)

      const writer = yield* Effect.forkChild(send("POST", "/v1/custom-connectors", { name: "n", source_name: "s" }))
      yield* Deferred.await(begun)
      const interruption = yield* Effect.forkChild(Fiber.interrupt(writer), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(interruption)
      assert.strictEqual(yield* Ref.get(done), 1)
    }))
})
