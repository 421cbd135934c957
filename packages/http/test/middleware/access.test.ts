// Authentication, scopes, the order of checks, and the forms of errors (interface.md "Authentication", "Errors").
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ADMIN_TOKEN, BASE_URL, code, field, wire } from "../support/wire.ts"

const UNAUTHENTICATED = {
  error_code: "authentication_error",
  message: "Invalid or missing credentials.",
  details: null
}

describe("Authentication", () => {
  it.effect("7. missing or invalid credentials are 401 with a challenge", () =>
    Effect.gen(function*() {
      const { key, send } = yield* wire()
      const headers = [
        undefined,
        "",
        "Bearer",
        "Bearer ",
        `Basic ${key.secret}`,
        key.secret,
        `Bearer${key.secret}`,
        `Bearer ${key.secret}x`,
        `Bearer ${key.secret}, Bearer ${key.secret}`,
        `Bearer ${key.secret} x`,
        "Bearer pk_live_",
        `Bearer pk_live_${"x".repeat(43)}`,
        `Bearer ${"x".repeat(10_000)}`
      ]
      for (const authorization of headers) {
        const answer = yield* send("GET", "/v1/knowledge/settings", {
          key: null,
          ...(authorization === undefined ? {} : { headers: { authorization } })
        })
        assert.deepStrictEqual([answer.status, answer.body], [401, UNAUTHENTICATED], authorization)
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
      }
    }))

  it.effect("the scheme is case-insensitive, followed by one or more blanks", () =>
    Effect.gen(function*() {
      const { key, send } = yield* wire()
      for (const scheme of ["Bearer ", "bearer ", "BEARER ", "Bearer   "]) {
        const headers = { authorization: scheme + key.secret }
        assert.strictEqual((yield* send("GET", "/v1/knowledge/settings", { key: null, headers })).status, 200)
      }
    }))

  it.effect("5. a request that lacks a scope is 403 and names it, also with an umbrella scope", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      const { secret: reader } = yield* newKey(["api:read"])
      const { secret: writer } = yield* newKey(["api:write"])
      const id = crypto.randomUUID()
      const cases = [
        [reader, "PATCH", "/v1/knowledge/settings", "knowledge:write"],
        [reader, "POST", "/v1/knowledge/refresh", "knowledge:write"],
        [reader, "DELETE", `/v1/knowledge/ask/jobs/${id}`, "knowledge:write"],
        [reader, "POST", "/v1/custom-connectors", "custom_connectors:write"],
        [reader, "PATCH", `/v1/custom-connectors/${id}`, "custom_connectors:write"],
        [reader, "DELETE", `/v1/custom-connectors/${id}`, "custom_connectors:write"],
        [reader, "POST", `/v1/custom-connectors/${id}/ingest`, "custom_connectors:ingest"],
        [reader, "POST", `/v1/custom-connectors/${id}/ingest/text`, "custom_connectors:ingest"],
        [reader, "POST", `/v1/custom-connectors/${id}/ingest/typed`, "custom_connectors:ingest"],
        [reader, "POST", `/v1/custom-connectors/${id}/documents/delete`, "custom_connectors:ingest"],
        [reader, "DELETE", `/v1/custom-connectors/${id}/documents/a`, "custom_connectors:ingest"],
        [reader, "DELETE", `/v1/documents/${id}`, "custom_connectors:ingest"],
        [reader, "POST", "/v1/workspaces", "workspaces:write"],
        [writer, "GET", "/v1/knowledge/settings", "knowledge:read"],
        [writer, "GET", "/v1/knowledge/status", "knowledge:read"],
        [writer, "POST", "/v1/knowledge/search", "knowledge:read"],
        [writer, "POST", "/v1/knowledge/ask", "knowledge:read"],
        [writer, "GET", "/v1/knowledge/ask/jobs", "knowledge:read"],
        [writer, "GET", `/v1/knowledge/ask/jobs/${id}`, "knowledge:read"],
        [writer, "GET", "/v1/custom-connectors", "custom_connectors:read"],
        [writer, "GET", `/v1/custom-connectors/${id}`, "custom_connectors:read"],
        [writer, "GET", `/v1/custom-connectors/${id}/documents`, "custom_connectors:read"],
        [writer, "GET", `/v1/custom-connectors/${id}/documents/a`, "custom_connectors:read"],
        [writer, "GET", `/v1/documents/${id}`, "custom_connectors:read"],
        [writer, "GET", "/v1/runtime/events", "runtime:read"],
        [writer, "GET", "/v1/workspaces", "workspaces:read"]
      ] as const
      for (const [key, method, path, scope] of cases) {
        const answer = yield* send(method, path, { key })
        assert.deepStrictEqual([answer.status, answer.body], [403, {
          error_code: "insufficient_scopes",
          message: "These credentials lack a scope that the operation requires.",
          details: { missing_scopes: [scope] }
        }], `${method} ${path}`)
      }
      assert.strictEqual((yield* send("GET", "/v1/usage/current", { key: writer })).status, 200)
    }))

  it.effect("either of the scopes that an operation names is enough", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      for (const scope of ["custom_connectors:read", "connections:read"] as const) {
        const { secret } = yield* newKey([scope])
        const answer = yield* send("GET", `/v1/documents/${crypto.randomUUID()}`, { key: secret })
        assert.strictEqual(answer.status, 404, scope)
      }
    }))

  it.effect("8. keys of a suspended workspace are 403 permission_denied", () =>
    Effect.gen(function*() {
      const { operate, send, workspace } = yield* wire()
      yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: true } })
      const answer = yield* send("GET", "/v1/usage/current")
      assert.strictEqual(answer.status, 403)
      assert.deepInclude(answer.body, {
        error_code: "permission_denied",
        message:
          "The workspace is suspended: nothing is answered, pulled or sent until its operator lifts the suspension."
      })
      yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: false } })
      assert.strictEqual((yield* send("GET", "/v1/usage/current")).status, 200)
    }))
})

describe("Order of checks", () => {
  it.effect("route, credential, scope, validation, resource", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      const { secret: reader } = yield* newKey(["api:read"])
      const path = `/v1/custom-connectors/${crypto.randomUUID()}`
      const malformed = { raw: "{", headers: { "content-type": "application/json" } }
      assert.strictEqual((yield* send("PUT", path, { key: null, ...malformed })).status, 405)
      assert.strictEqual((yield* send("PATCH", `${path}/nowhere`, { key: null, ...malformed })).status, 404)
      assert.strictEqual((yield* send("PATCH", path, { key: null, ...malformed })).status, 401)
      assert.strictEqual((yield* send("PATCH", path, { key: reader, ...malformed })).status, 403)
      assert.strictEqual((yield* send("PATCH", path, malformed)).status, 422)
      assert.strictEqual(
        (yield* send("PATCH", path, { raw: "x", headers: { "content-type": "text/plain" } })).status,
        415
      )
      assert.strictEqual((yield* send("PATCH", path, { body: { name: 5 } })).status, 422)
      assert.strictEqual(code(yield* send("PATCH", path, { body: {} })), "client_not_found")
    }))

  it.effect("a malformed, unauthenticated or forbidden request consumes no rate limit", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* wire()
      const { secret: writer } = yield* newKey(["api:write"])
      for (let count = 0; count < 10; count++) {
        assert.strictEqual((yield* send("POST", "/v1/knowledge/ask", { body: {} })).status, 422)
        assert.strictEqual((yield* send("POST", "/v1/knowledge/ask", { key: null, body: { query: "q" } })).status, 401)
        assert.strictEqual(
          (yield* send("POST", "/v1/knowledge/ask", { key: writer, body: { query: "q" } })).status,
          403
        )
      }
      const answer = yield* send("POST", "/v1/knowledge/ask", { body: { query: "q" } })
      assert.deepStrictEqual([answer.status, answer.headers.get("ratelimit-remaining")], [200, "4"])
    }))
})

describe("Errors", () => {
  it.effect("404 for an unknown route, also for a trailing slash, another case or a doubled slash", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const paths = [
        "/",
        "/v1",
        "/v2/knowledge/settings",
        "/v1/knowledge/settings/",
        "/v1/Knowledge/settings",
        "/v1//knowledge/settings",
        "/v1/custom-connectors/",
        "/v1/knowledge/settings/%zz",
        "/v1/custom-connectors/x/",
        "/v1/custom-connectors//documents",
        "/v1/custom-connectors/x/documents/",
        "/v1/documents/",
        "/errors/no_such_code"
      ]
      for (const path of paths) {
        const answer = yield* send("GET", path)
        assert.deepStrictEqual([answer.status, answer.body], [404, {
          error_code: "not_found",
          message: "No such path.",
          details: null
        }], path)
      }
    }))

  it.effect("404 client_not_found for a connector id that cannot be decoded", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const id of ["%zz", "%ff", "%ed%a0%80", "%", "x%2"]) {
        for (const path of [`/v1/custom-connectors/${id}`, `/v1/custom-connectors/${id}/ingest?a=%zz`]) {
          const answer = yield* send("GET", path)
          assert.deepStrictEqual([answer.status, code(answer)], [404, "client_not_found"], path)
        }
      }
    }))

  it.effect("404 document_not_found for an external id that cannot be decoded", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const id of ["%zz", "%ff?a=%zz", "a%2Fb%"]) {
        const answer = yield* send("GET", `/v1/custom-connectors/${crypto.randomUUID()}/documents/${id}`)
        assert.deepStrictEqual([answer.status, code(answer)], [404, "document_not_found"], id)
      }
    }))

  it.effect("405 lists the allowed methods, and OPTIONS does, too", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const cases = [
        ["/v1/knowledge/settings", "GET, PATCH, HEAD, OPTIONS"],
        ["/v1/knowledge/search", "POST, OPTIONS"],
        ["/v1/custom-connectors", "GET, POST, HEAD, OPTIONS"],
        [`/v1/custom-connectors/${crypto.randomUUID()}`, "DELETE, GET, PATCH, HEAD, OPTIONS"],
        ["/v1/custom-connectors/x/documents/delete", "DELETE, GET, POST, HEAD, OPTIONS"],
        ["/healthz", "GET, HEAD, OPTIONS"],
        ["/admin/v1/accounts", "POST, OPTIONS"]
      ] as const
      for (const [path, allow] of cases) {
        const refused = yield* send("PUT", path, { key: null })
        assert.deepStrictEqual([refused.status, refused.body, refused.headers.get("allow")], [405, {
          error_code: "method_not_allowed",
          message: "The method is not allowed for this path.",
          details: null
        }, allow], path)
        const asked = yield* send("OPTIONS", path, { key: null })
        assert.deepStrictEqual([asked.status, asked.text, asked.headers.get("allow")], [204, "", allow])
      }
      assert.strictEqual((yield* send("OPTIONS", "/nowhere")).status, 404)
    }))

  it.effect("HEAD is answered as GET", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      assert.strictEqual((yield* send("HEAD", "/v1/knowledge/settings")).status, 200)
      assert.strictEqual((yield* send("HEAD", "/v1/knowledge/settings", { key: null })).status, 401)
      assert.strictEqual((yield* send("HEAD", "/healthz", { key: null })).status, 200)
    }))

  it.effect("every response has a request id: the client's own, if it is valid", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const idOf = (path: string, id?: string) =>
        Effect.map(
          send("GET", path, { key: null, ...(id === undefined ? {} : { headers: { "x-request-id": id } }) }),
          ({ headers }) => headers.get("x-request-id")
        )
      for (const path of ["/healthz", "/nowhere", "/v1/usage/current"]) {
        assert.match((yield* idOf(path)) ?? "", /^[0-9a-f-]{36}$/)
        assert.notStrictEqual(yield* idOf(path), yield* idOf(path))
        assert.strictEqual(yield* idOf(path, "my-id~!"), "my-id~!")
        assert.strictEqual(yield* idOf(path, "x".repeat(128)), "x".repeat(128))
        assert.match((yield* idOf(path, "x".repeat(129))) ?? "", /^[0-9a-f-]{36}$/)
        assert.match((yield* idOf(path, "two words")) ?? "", /^[0-9a-f-]{36}$/)
      }
    }))

  it.effect("415 for content types other than JSON", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const refused: ReadonlyArray<Readonly<Record<string, string>>> = [
        { "content-type": "text/plain" },
        { "content-type": "application/x-www-form-urlencoded" },
        { "content-type": "text/json" },
        { "content-type": "application/jsonx" },
        { "content-type": "application/xml+jsonx" },
        { "content-type": "nonsense" },
        { "content-type": "application/json", "content-encoding": "gzip" }
      ]
      for (const headers of refused) {
        const answer = yield* send("PATCH", "/v1/knowledge/settings", { raw: "{}", headers })
        assert.deepStrictEqual([answer.status, code(answer)], [415, "unsupported_media_type"], JSON.stringify(headers))
      }
      const accepted = [
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=utf-8",
        "APPLICATION/JSON",
        "application/merge-patch+json"
      ]
      for (const type of accepted) {
        const answer = yield* send("PATCH", "/v1/knowledge/settings", { raw: "{}", headers: { "content-type": type } })
        assert.strictEqual(answer.status, 200, type)
      }
      assert.strictEqual((yield* send("PATCH", "/v1/knowledge/settings", { raw: "{}" })).status, 200)
      const bodyless = { headers: { "content-type": "application/json" } }
      assert.strictEqual((yield* send("POST", "/v1/knowledge/refresh", bodyless)).status, 200)
    }))

  it.effect("413 above an operation's limit, and not at it", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const sized = (bytes: number) => `{}${" ".repeat(bytes - 2)}`
      for (
        const [method, path, limit, size] of [
          ["PATCH", "/v1/knowledge/settings", 16_384, "16 KiB"],
          ["POST", "/v1/knowledge/search", 1_048_576, "1 MiB"],
          ["POST", "/v1/custom-connectors", 2_097_152, "2 MiB"],
          ["POST", "/v1/custom-connectors/x/ingest", 33_554_432, "32 MiB"]
        ] as const
      ) {
        const answer = yield* send(method, path, { raw: sized(limit + 1) })
        assert.deepStrictEqual([answer.status, code(answer)], [413, "payload_too_large"])
        assert.strictEqual(field(answer, "message"), `The request body is larger than ${size}.`)
        assert.notStrictEqual((yield* send(method, path, { raw: sized(limit) })).status, 413)
      }
    }))

  it.effect("and answers of the API are not cached", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const paths = [
        "/v1/usage/current",
        "/v%31/usage/current",
        "/v1/nowhere",
        "/admin/v1/workspaces",
        "/console/api/me"
      ]
      for (const path of [...paths, "/mcp", "/mcp?x", "/console/api/provider", "/console/api/provider/return"]) {
        const { headers } = yield* send("GET", path)
        assert.deepStrictEqual(
          ["cache-control", "x-content-type-options", "strict-transport-security"].map((name) => headers.get(name)),
          ["no-store", "nosniff", "max-age=31536000"],
          path
        )
      }
      assert.notStrictEqual((yield* send("GET", "/openapi.json")).headers.get("cache-control"), "no-store")
    }))

  it.effect("422 has every problem of path, query and body", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("PATCH", "/v1/knowledge/settings", {
        body: { temporal_settings: { start: 5 }, x: 1 }
      })
      const { detail } = answer.body as { readonly detail: ReadonlyArray<{ readonly loc: unknown }> }
      assert.deepStrictEqual(detail.map(({ loc }) => loc), [
        ["body", "temporal_settings", "start"],
        ["body", "temporal_settings", "end"],
        ["body", "x"]
      ])
      assert.deepStrictEqual([answer.status, Object.keys(answer.body as object)], [422, ["detail"]])
    }))

  it.effect("every code has a readable page", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const page of ["rate_limit_exceeded", "quota_exceeded", "client_not_found", "internal_server_error"]) {
        const answer = yield* send("GET", `/errors/${page}`, { key: null })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers.get("content-type"), "text/html; charset=utf-8")
        assert.include(answer.text, page)
      }
      assert.notInclude((yield* send("GET", "/errors/%3Cscript%3E", { key: null })).text, "<script>")
    }))

  it.effect("machine endpoints need no key, and the operator API does not exist without its token", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ operator: false })
      assert.strictEqual((yield* send("GET", "/healthz", { key: null })).status, 200)
      assert.strictEqual((yield* send("GET", "/readyz", { key: null })).status, 200)
      const document = yield* send("GET", "/openapi.json", { key: null })
      const { info, openapi, servers } = document.body as Readonly<Record<string, Readonly<Record<string, unknown>>>>
      assert.deepStrictEqual([openapi, info?.["version"], servers], ["3.1.0", "0.1.0", [{ url: BASE_URL }]])
      for (const method of ["GET", "POST", "OPTIONS"]) {
        assert.strictEqual((yield* send(method, "/admin/v1/workspaces", { key: ADMIN_TOKEN })).status, 404)
      }
    }))
})
