// `/mcp` below the level of tools: revisions of the protocol, credentials, origins, sizes, depths.
import { assert, describe, it } from "@effect/vitest"
import { SignedInPrograms } from "@tributary/core/SignedInPrograms"
import { Effect, Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { extent } from "../../../../.ci/extent.ts"
import { bySignIn } from "../../src/mcp/SignIn.ts"
import { assistants } from "../support/assistants.ts"
import { code, field, wire } from "../support/wire.ts"

const ACCEPT = { accept: "application/json, text/event-stream" }

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })

const initialize = (protocolVersion: string) =>
  call("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } })

/** The number of clients that connect and disappear. */
const COUNT = extent(500, 10_000)

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

interface Message {
  readonly result: {
    readonly protocolVersion: string
    readonly tools: ReadonlyArray<unknown>
    readonly isError?: boolean
    readonly structuredContent: unknown
    readonly content: readonly [{ readonly text: string }]
  }
  readonly error?: { readonly code: number }
}

/** The message in a body, which is JSON or one server-sent event. */
const message = (text: string): Message => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)

describe("The protocol over HTTP", () => {
  for (const revision of REVISIONS) {
    it.effect(`works in the revision of ${revision}, without sessions`, () =>
      Effect.gen(function*() {
        const { send } = yield* wire()
        const begun = yield* send("POST", "/mcp", { body: initialize(revision), headers: ACCEPT })
        assert.strictEqual(begun.status, 200)
        assert.strictEqual(message(begun.text).result.protocolVersion, revision)
        const headers = { ...ACCEPT, "mcp-protocol-version": revision }
        const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
        assert.strictEqual((yield* send("POST", "/mcp", { body: initialized, headers })).status, 202)
        const listed = yield* send("POST", "/mcp", { body: call("tools/list"), headers })
        assert.lengthOf(message(listed.text).result.tools, 6)
        const called = call("tools/call", { name: "list_sources", arguments: {} })
        const answered = yield* send("POST", "/mcp", {
          body: called,
          headers: { ...headers, "mcp-session-id": "of a node that is gone" }
        })
        assert.deepStrictEqual(message(answered.text).result.structuredContent, { connectors: [], connections: [] })
      }))
  }

  it.effect("works in the revision of 2026-07-28", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const prefix = "io.modelcontextprotocol"
      const answered = yield* send("POST", "/mcp", {
        body: call("tools/call", {
          name: "list_sources",
          arguments: {},
          _meta: {
            [`${prefix}/protocolVersion`]: "2026-07-28",
            [`${prefix}/clientCapabilities`]: {},
            [`${prefix}/clientInfo`]: { name: "c", version: "1" }
          }
        }),
        headers: {
          ...ACCEPT,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "list_sources"
        }
      })
      assert.strictEqual(answered.headers.get("content-type"), "application/json")
      assert.deepStrictEqual(message(answered.text).result.structuredContent, { connectors: [], connections: [] })
    }))

  it.effect("refuses a missing key, a foreign page, and unknown methods", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const body = initialize("2025-11-25")
      const stranger = yield* send("POST", "/mcp", { key: null, body, headers: ACCEPT })
      assert.deepStrictEqual([stranger.status, code(stranger)], [401, "authentication_error"])
      assert.strictEqual(stranger.headers.get("www-authenticate"), "Bearer")
      assert.strictEqual((yield* send("POST", "/mcp", { key: "pk_live_x", body, headers: ACCEPT })).status, 401)

      const foreign = yield* send("POST", "/mcp", { body, headers: { ...ACCEPT, origin: "https://evil.test" } })
      assert.deepStrictEqual([foreign.status, code(foreign)], [403, "permission_denied"])
      const own = yield* send("POST", "/mcp", { body, headers: { ...ACCEPT, origin: "https://tributary.test" } })
      assert.strictEqual(own.status, 200)

      for (const method of ["GET", "DELETE", "PUT"]) {
        const answer = yield* send(method, "/mcp", { headers: ACCEPT })
        assert.deepStrictEqual([answer.status, code(answer)], [405, "method_not_allowed"], method)
        assert.strictEqual(answer.headers.get("allow"), "POST, OPTIONS")
      }
    }))

  it.effect("answers 404 as JSON to OAuth discovery, because there are only keys", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (
        const [method, path] of [
          ["GET", "/.well-known/oauth-protected-resource/mcp"],
          ["GET", "/.well-known/oauth-protected-resource"],
          ["GET", "/.well-known/oauth-authorization-server"],
          ["GET", "/.well-known/oauth-authorization-server/mcp"],
          ["GET", "/.well-known/openid-configuration"],
          ["POST", "/register"]
        ] as const
      ) {
        const answer = yield* send(method, path, { key: null })
        assert.deepStrictEqual([answer.status, code(answer)], [404, "not_found"], path)
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
      }
    }))

  it.effect("leads to its metadata below the path of the base address, where a proxy finds it", () =>
    Effect.gen(function*() {
      const { challenged } = yield* bySignIn(() => Effect.die("unused"), "https://proxy.test/knowledge", "/mcp")
      assert.strictEqual(
        challenged(HttpServerResponse.empty({ status: 401 })).headers["www-authenticate"],
        `Bearer resource_metadata="https://proxy.test/knowledge/.well-known/oauth-protected-resource/mcp"`
      )
    }).pipe(
      Effect.provide(Layer.merge(Layer.mock(SignedInPrograms, { issuer: "https://id.test" }), HttpRouter.layer))
    ))

  it.effect("limits bodies, by the scopes of the key, and their depth", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      const reader = (yield* newKey(["api:read"])).secret
      const sized = (bytes: number) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(bytes)}"}}`
      const headers = { ...ACCEPT, "content-type": "application/json" }
      const statusOf = (key: string | undefined, raw: string) =>
        Effect.map(send("POST", "/mcp", { ...(key && { key }), raw, headers }), ({ status }) => status)
      assert.strictEqual(yield* statusOf(reader, sized(1_000_000)), 200)
      assert.strictEqual(yield* statusOf(reader, sized(1_100_000)), 413)
      assert.strictEqual(yield* statusOf(undefined, sized(1_100_000)), 200)
      assert.strictEqual(yield* statusOf(undefined, sized(32 * 1_048_576)), 413)

      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      for (
        const raw of [deep, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":${deep}}}`, "{", "nul"]
      ) {
        const answer = yield* send("POST", "/mcp", { raw, headers })
        assert.deepStrictEqual([answer.status, message(answer.text).error?.code], [400, -32700])
      }
      assert.strictEqual(yield* statusOf(undefined, ""), 400)
      const batch = yield* send("POST", "/mcp", { body: [call("ping"), call("ping")], headers })
      assert.deepStrictEqual([batch.status, message(batch.text).error?.code], [400, -32600])
      assert.strictEqual(
        (yield* send("POST", "/mcp", { raw: "x", headers: { ...ACCEPT, "content-type": "text/plain" } })).status,
        415
      )
    }))

  it.effect("consumes the rate window of the tool's operation, and reports when to retry", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const ask = send("POST", "/mcp", {
        body: call("tools/call", { name: "ask", arguments: { query: "q" } }),
        headers: ACCEPT
      })
      const { rate_limits } = (yield* send("GET", "/v1/usage/current")).body as {
        readonly rate_limits: { readonly ask: { readonly limit: number } }
      }
      for (let count = 0; count < rate_limits.ask.limit; count++) {
        assert.notStrictEqual(message((yield* ask).text).result.isError, true)
      }
      const { result } = message((yield* ask).text)
      assert.isTrue(result.isError)
      assert.deepInclude(JSON.parse(result.content[0].text), {
        error_code: "rate_limit_exceeded",
        status: 429,
        endpoint: "ask"
      })
      assert.strictEqual((yield* send("POST", "/v1/knowledge/ask", { body: { query: "q" } })).status, 429)
    }))

  it.effect("refuses a malformed call before it consumes anything", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const args of [{}, { query: "" }, { query: "q", async: true }, { query: 1 }]) {
        const answer = yield* send("POST", "/mcp", {
          body: call("tools/call", { name: "ask", arguments: args }),
          headers: ACCEPT
        })
        assert.isTrue(message(answer.text).result.isError)
      }
      const usage = yield* send("GET", "/v1/usage/current")
      const { ask } = field<{ readonly ask: { readonly limit: number; readonly remaining: number } }>(
        usage,
        "rate_limits"
      )
      assert.strictEqual(ask.remaining, ask.limit)
    }))

  it.effect("answers params of a wrong type as invalid params, for every method", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (
        const body of [
          call("initialize"),
          call("tools/list", { cursor: 5 }),
          call("tools/call", { name: 5 }),
          call("tools/call", { name: "search", arguments: [] }),
          call("resources/list", { cursor: [] }),
          call("resources/templates/list", { cursor: {} }),
          call("resources/read", { uri: 5 }),
          call("resources/read"),
          call("prompts/list", { cursor: true }),
          call("prompts/get", { name: "answer_with_citations", arguments: [] }),
          call("prompts/get", { name: "answer_with_citations", arguments: { question: 5 } })
        ]
      ) {
        const answer = yield* send("POST", "/mcp", { body, headers: ACCEPT })
        assert.strictEqual(message(answer.text).error?.code, -32602, JSON.stringify(body))
      }
    }))

  it.effect("answers a large malformed call by its first problem, and sends back no long names", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answered = (method: string, params: object) =>
        Effect.map(send("POST", "/mcp", { body: call(method, params), headers: ACCEPT }), ({ text }) => text)
      const problemsOf = Effect.fnUntraced(function*(number: number) {
        const documents = Array.from({ length: number }, () => ({ text: 1 }))
        const args = { connector: "notes", documents }
        const { result } = message(yield* answered("tools/call", { name: "add_documents", arguments: args }))
        return JSON.parse(result.content[0].text).detail.length
      })
      assert.strictEqual(yield* problemsOf(3), 3)
      assert.strictEqual(yield* problemsOf(20_000), 1)

      const long = "x".repeat(100_000)
      for (
        const [method, params] of [
          ["tools/call", { name: long, arguments: {} }],
          ["resources/read", { uri: `tributary://document/${long}` }],
          ["prompts/get", { name: "answer_with_citations", arguments: { question: long } }]
        ] as const
      ) {
        const text = yield* answered(method, params)
        assert.isDefined(message(text).error, method)
        assert.isBelow(text.length, 1_000, method)
      }
    }))

  it.effect("does not exist if it is switched off", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ mcp: false })
      assert.strictEqual((yield* send("POST", "/mcp", { body: initialize("2025-11-25"), headers: ACCEPT })).status, 404)
    }))

  it.live("keeps nothing of clients that disappear", () =>
    Effect.gen(function*() {
      const { newWorkspace, openNode } = yield* assistants
      const { url } = yield* openNode
      const { key } = yield* newWorkspace
      const body = JSON.stringify(initialize("2025-11-25"))
      const headers = { ...ACCEPT, authorization: `Bearer ${key}`, "content-type": "application/json" }
      const begin = Effect.promise(async () => {
        const response = await fetch(`${url}/mcp`, { method: "POST", headers, body })
        assert.isNotNull(response.headers.get("mcp-session-id"))
        await response.text()
      })
      const used = Effect.sync(() => {
        collectGarbage()
        return process.memoryUsage().heapUsed
      })
      yield* Effect.repeat(begin, { times: 300 })
      const before = yield* used
      yield* Effect.repeat(begin, { times: COUNT })
      // A session of the protocol's library holds tens of kilobytes; what the engine itself keeps does not grow on.
      assert.isBelow((yield* used) - before, 5_000_000)
    }))
})
