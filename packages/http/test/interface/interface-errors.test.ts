// interface.md, "Errors": a test for every rule and row.
import { assert } from "@effect/vitest"
import { Asks } from "@tributary/core/Asks"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { section } from "../support/interface.ts"
import { type Answer, BASE_URL, code, field, wire } from "../support/wire.ts"

const USAGE = "/v1/usage/current"
const SEARCH = "/v1/knowledge/search"
const ASK = "/v1/knowledge/ask"
const REFRESH = "/v1/knowledge/refresh"

const statusAndCode = (answer: Answer) => [answer.status, code(answer)]

/** A function that causes an error of each kind. */
const failures = Effect.gen(function*() {
  const service = yield* connected()
  const { ingest, limit, newKey, operate, send } = service
  const { secret: reader } = yield* newKey(["knowledge:read"])
  const made: Record<string, Answer> = {
    bad_request: yield* send("POST", SEARCH, { body: { q: "x", mode: "semantic" } }),
    authentication_error: yield* send("GET", USAGE, { key: null }),
    insufficient_scopes: yield* send("GET", "/v1/workspaces", { key: reader }),
    client_not_found: yield* send("GET", `/v1/custom-connectors/${crypto.randomUUID()}`),
    validation: yield* send("POST", SEARCH, { body: { q: 5 } })
  }
  yield* limit({ storage: 0 })
  made["quota_exceeded"] = yield* ingest([{ external_id: "a", text: "x" }])
  for (let time = 0; time < 2; time++) {
    made["unprocessable_entity"] = yield* send("POST", "/v1/workspaces", { body: { name: "n" } })
  }
  for (let time = 0; time < 3; time++) made["rate_limit_exceeded"] = yield* send("POST", REFRESH)
  yield* operate("PATCH", `/workspaces/${service.workspace.workspace_id}`, { body: { suspended: true } })
  made["permission_denied"] = yield* send("GET", USAGE)
  const dead = yield* wire({ instead: Layer.mock(Asks, { jobs: () => Effect.die("a defect") }) })
  made["internal_server_error"] = yield* dead.send("GET", `${ASK}/jobs`)
  const outage = Effect.fail(new StorageUnavailable({ cause: null }))
  const cut = yield* wire({ instead: Layer.mock(Asks, { jobs: () => outage }) })
  made["service_unavailable"] = yield* cut.send("GET", `${ASK}/jobs`)
  return made as Readonly<Record<string, Answer>>
})

/** Its status, code and message, as the table has them. */
const row = (name: string, status: number, message: RegExp | string) => () =>
  Effect.gen(function*() {
    const answer = (yield* failures)[name]!
    assert.deepStrictEqual(statusAndCode(answer), [status, name])
    if (typeof message === "string") assert.strictEqual(field(answer, "message"), message)
    else assert.match(field(answer, "message"), message)
  })

const standard = (check: (name: string, body: Json) => void) => () =>
  Effect.gen(function*() {
    for (const [name, { body }] of Object.entries(yield* failures)) {
      if (name !== "validation" && name !== "rate_limit_exceeded") check(name, body as Json)
    }
  })

section("Standard error body", {
  error_code: [
    "is the code",
    standard((name, { error_code }) => assert.strictEqual(error_code, name))
  ],
  message: [
    "is text for people",
    standard((name, { message }) => assert.match(String(message), /^[A-Z].+\.$/, name))
  ],
  details: [
    "is an object or null, beside which there is nothing else",
    standard((name, body) => {
      assert.sameMembers(Object.keys(body), ["error_code", "message", "details"], name)
      assert.isTrue(body["details"] === null || typeof body["details"] === "object", name)
    })
  ]
})

section("Error codes", {
  bad_request: ["400, with a message", row("bad_request", 400, /./)],
  authentication_error: ["401", row("authentication_error", 401, "Invalid or missing credentials.")],
  quota_exceeded: ["402, with the rejected items", () =>
    Effect.gen(function*() {
      const answer = (yield* failures)["quota_exceeded"]!
      assert.deepStrictEqual([answer.status, answer.body], [402, {
        error_code: "quota_exceeded",
        message: "Ingest rejected: this workspace is over its plan quota. Upgrade or free space to continue.",
        details: { rejected: [{ external_id: "a", resource: "storage", reason: "quota_exceeded" }] }
      }])
    })],
  permission_denied: ["403, with a message", row("permission_denied", 403, /./)],
  insufficient_scopes: ["403, with the missing scopes", () =>
    Effect.gen(function*() {
      const answer = (yield* failures)["insufficient_scopes"]!
      assert.deepStrictEqual([...statusAndCode(answer), field(answer, "details")], [403, "insufficient_scopes", {
        missing_scopes: ["workspaces:read"]
      }])
    })],
  client_not_found: ["404, with a message", row("client_not_found", 404, /./)],
  unprocessable_entity: ["422, with the allowed count", row("unprocessable_entity", 422, /\b1\b/)],
  "(validation)": ["422, with `detail` in the published form", () =>
    Effect.gen(function*() {
      const answer = (yield* failures)["validation"]!
      assert.deepStrictEqual([answer.status, answer.body], [422, {
        detail: [{ type: "string_type", loc: ["body", "q"], msg: "Input should be a valid string", input: 5 }]
      }])
    })],
  rate_limit_exceeded: ["429, as a problem", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(statusAndCode((yield* failures)["rate_limit_exceeded"]!), [429, "rate_limit_exceeded"])
    })],
  internal_server_error: ["500", row("internal_server_error", 500, "An unexpected error occurred.")],
  service_unavailable: [
    "503",
    row("service_unavailable", 503, "The service is currently experiencing issues. Please try again later.")
  ]
})

/** A question too many, some seconds into the window. */
const limited = Effect.gen(function*() {
  const service = yield* wire()
  const ask = service.send("POST", ASK, { body: { query: "q" } })
  for (let time = 0; time < 5; time++) yield* ask
  yield* TestClock.adjust("18 seconds")
  return { ...service, ask, refused: yield* ask }
})

section("Rate-limit error (429)", {
  1: ["is a problem document", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* limited).refused.headers.get("content-type"), "application/problem+json")
    })],
  2: ["has five headers", () =>
    Effect.gen(function*() {
      const { headers } = (yield* limited).refused
      const named = (name: string) => headers.get(name)
      assert.deepStrictEqual(
        ["retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"].map(named),
        ["42", "5", "0", "42", "5;w=60"]
      )
    })],
  3: ["has ten fields", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* limited).refused.body, {
        type: `${BASE_URL}/errors/rate_limit_exceeded`,
        title: "Too Many Requests",
        status: 429,
        detail: "The rate limit of ask is used up. Retry in 42 seconds.",
        error_code: "rate_limit_exceeded",
        endpoint: "ask",
        limit: 5,
        remaining: 0,
        window_seconds: 60,
        retry_after: 42
      })
    })],
  4: ["is over after Retry-After seconds", () =>
    Effect.gen(function*() {
      const { ask, refused } = yield* limited
      yield* TestClock.adjust(`${Number(refused.headers.get("retry-after"))} seconds`)
      assert.strictEqual((yield* ask).status, 200)
    })]
})

const formOf = (text: string) => ({
  raw: `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${text}\r\n--b--\r\n`,
  headers: { "content-type": "multipart/form-data; boundary=b" }
})

section("Quota errors", {
  1: ["do not pass with time; deleting clears them", () =>
    Effect.gen(function*() {
      const { at, ingest, limit } = yield* connected()
      yield* ingest([{ external_id: "a", text: "x" }])
      yield* limit({ documents: 1 })
      const push = ingest([{ external_id: "b", text: "x" }])
      assert.deepStrictEqual(statusAndCode(yield* push), [402, "quota_exceeded"])
      yield* TestClock.adjust("2 hours")
      assert.deepStrictEqual(statusAndCode(yield* push), [402, "quota_exceeded"])
      yield* at("DELETE", "/documents/a")
      assert.strictEqual((yield* push).status, 200)
    })],
  2: ["mean that nothing was ingested", () =>
    Effect.gen(function*() {
      const { at, ingest, limit, send } = yield* connected()
      yield* limit({ storage: 1 })
      assert.strictEqual((yield* ingest([{ text: "xx" }, { text: "yy" }])).status, 402)
      assert.deepStrictEqual(field(yield* at("GET", "/documents"), "documents"), [])
      assert.deepStrictEqual(field(yield* send("GET", "/v1/runtime/events"), "events"), [])
    })],
  3: ["are what a rejected file always answers", () =>
    Effect.gen(function*() {
      const { at, limit } = yield* connected()
      for (const cap of ["documents", "storage", "doc_size"]) {
        yield* limit({ documents: null, storage: null, doc_size: null, [cap]: 0 })
        const answer = yield* at("POST", "/ingest/typed/upload", formOf("text"))
        assert.deepStrictEqual(statusAndCode(answer), [402, "quota_exceeded"], cap)
      }
    })]
})
