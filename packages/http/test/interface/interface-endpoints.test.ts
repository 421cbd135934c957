// interface.md, "Endpoints": a test for every rule, field and response.
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { connected, type Json } from "../support/connected.ts"
import { section } from "../support/interface.ts"
import { type Answer, code, field, type Sent, UUID, wire } from "../support/wire.ts"

const SETTINGS = "/v1/knowledge/settings"
const JOBS = "/v1/knowledge/ask/jobs"
const CONNECTOR = `/v1/custom-connectors/${crypto.randomUUID()}`

/** The answer and its status. */
const statusAndCode = (answer: Answer) => [answer.status, code(answer)]

/** The same request by a caller who may not send it. */
const refused = (method: string, path: string, sent: Sent = {}) => ({
  "401": [
    "without a valid key",
    () =>
      Effect.gen(function*() {
        const { send } = yield* wire()
        for (const key of [null, `pk_live_${"x".repeat(43)}`]) {
          assert.deepStrictEqual(statusAndCode(yield* send(method, path, { ...sent, key })), [
            401,
            "authentication_error"
          ])
        }
      })
  ],
  "403": [
    "without the scope, or of a suspended workspace",
    () =>
      Effect.gen(function*() {
        const { newKey, operate, send, workspace } = yield* wire()
        const { secret: key } = yield* newKey(["runtime:read"])
        assert.deepStrictEqual(statusAndCode(yield* send(method, path, { ...sent, key })), [403, "insufficient_scopes"])
        yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, { body: { suspended: true } })
        assert.deepStrictEqual(statusAndCode(yield* send(method, path, sent)), [403, "permission_denied"])
      })
  ]
} as const)

type Instead = Layer.Layer<Asks> | Layer.Layer<Connectors> | Layer.Layer<KnowledgeContext>

const failing = (method: string, path: string, sent: Sent, status: number, error: string, instead: Instead) => () =>
  Effect.gen(function*() {
    const { send } = yield* wire({ instead })
    const answer = yield* send(method, path, sent)
    assert.deepStrictEqual(statusAndCode(answer), [status, error])
    assert.notInclude(answer.text, "a secret")
  })

const broken = (method: string, path: string, instead: Instead, sent: Sent = {}) =>
  [
    "when something unexpected happens, without any details",
    failing(method, path, sent, 500, "internal_server_error", instead)
  ] as const

const unavailable = (method: string, path: string, instead: Instead, sent: Sent = {}) =>
  ["when the storage does not answer", failing(method, path, sent, 503, "service_unavailable", instead)] as const

const defect = Effect.die(new Error("a secret"))
const outage = Effect.fail(new StorageUnavailable({ cause: new Error("a secret") }))

const NOW = Date.parse("2026-05-05T10:00:00Z")
const DAY = 86_400_000
const daysAgo = (days: number): string => new Date(NOW - days * DAY).toISOString()

/** A workspace with a text of today and one that is two years old. */
const dated = Effect.gen(function*() {
  yield* TestClock.setTime(NOW)
  const service = yield* connected()
  yield* service.ingest([
    { external_id: "new", text: "The gryphon guards the northern gate.", timestamp: daysAgo(0) },
    { external_id: "old", text: "A basilisk guarded the southern gate.", timestamp: daysAgo(730) }
  ])
  const inContext = Effect.map(
    service.at("GET", "/documents"),
    (answer) =>
      field<ReadonlyArray<Json>>(answer, "documents").filter(({ in_context }) => in_context === true)
        .map(({ external_id }) => external_id).sort()
  )
  const patch = (start: unknown) =>
    Effect.tap(
      service.send("PATCH", SETTINGS, { body: { temporal_settings: { start, end: null } } }),
      () => TestClock.adjust("10 seconds")
    )
  const answered = (query: string) =>
    Effect.map(service.send("POST", "/v1/knowledge/ask", { body: { query } }), (answer) => field(answer, "answered"))
  return { ...service, inContext, patch, answered }
})

const RANGE = { temporal_settings: { start: null, end: null } }
const configuring = (configure: Effect.Effect<never, StorageUnavailable>) =>
  Layer.mock(KnowledgeContext, { configure: () => configure })

section("PATCH /v1/knowledge/settings", {
  temporal_settings: ["omitted or null is unchanged; given, it replaces the range whole", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const { body: before } = yield* send("GET", SETTINGS)
      for (const body of [{}, { temporal_settings: null }]) {
        assert.deepStrictEqual((yield* send("PATCH", SETTINGS, { body })).body, before)
      }
      assert.deepStrictEqual((yield* send("PATCH", SETTINGS, { body: RANGE })).body, RANGE)
      const half = { temporal_settings: { start: null } }
      assert.strictEqual((yield* send("PATCH", SETTINGS, { body: half })).status, 422)
    })],
  "no other fields": ["are allowed", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("PATCH", SETTINGS, { body: { sync: {} } })
      assert.deepStrictEqual(field<ReadonlyArray<Json>>(answer, "detail").map(({ loc, type }) => [loc, type]), [
        [["body", "sync"], "extra_forbidden"]
      ])
    })],
  "rule 1": ["sections that are not sent are unchanged", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      yield* send("PATCH", SETTINGS, { body: RANGE })
      assert.deepStrictEqual((yield* send("PATCH", SETTINGS, { body: {} })).body, RANGE)
    })],
  "rule 2": ["a changed range starts a full rebuild at once", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ held: true })
      yield* send("PATCH", SETTINGS, { body: RANGE })
      const status = yield* send("GET", "/v1/knowledge/status")
      assert.deepStrictEqual([field(status, "up_to_date"), field(status, "state")], [false, "rebuilding"])
    })],
  "rule 3": ["a narrower range keeps less in the context", () =>
    Effect.gen(function*() {
      const { inContext, patch } = yield* dated
      yield* patch(null)
      assert.deepStrictEqual(yield* inContext, ["new", "old"])
      yield* patch({ type: "relative", days: 30 })
      assert.deepStrictEqual(yield* inContext, ["new"])
    })],
  "rule 4": ["null includes everything, and a date begins there", () =>
    Effect.gen(function*() {
      const { inContext, patch } = yield* dated
      yield* patch(null)
      assert.deepStrictEqual(yield* inContext, ["new", "old"])
      yield* patch({ type: "date", date: daysAgo(730).slice(0, 10) })
      assert.deepStrictEqual(yield* inContext, ["new", "old"])
      yield* patch({ type: "date", date: daysAgo(729).slice(0, 10) })
      assert.deepStrictEqual(yield* inContext, ["new"])
    })],
  "rule 5": ["a wider range brings in what is there, and nothing that never came", () =>
    Effect.gen(function*() {
      const { answered, patch } = yield* dated
      yield* patch(null)
      assert.isTrue(yield* answered("What guarded the southern gate?"))
      assert.isFalse(yield* answered("zyzzyva?"))
    })],
  "rule 6": [
    "what lies outside stays stored and searchable, but is not part of the context",
    () =>
      Effect.gen(function*() {
        const { answered, at, patch, send } = yield* dated
        yield* patch({ type: "relative", days: 30 })
        assert.strictEqual((yield* at("GET", "/documents/old")).status, 200)
        const found = yield* send("POST", "/v1/knowledge/search", { body: { q: "basilisk" } })
        const results = field<ReadonlyArray<Json>>(found, "results")
        assert.deepStrictEqual(results.map(({ external_id, in_context }) => [external_id, in_context]), [[
          "old",
          false
        ]])
        assert.isFalse(yield* answered("What did the basilisk guard?"))
        assert.isTrue(yield* answered("What does the gryphon guard?"))
      })
  ],
  "200": ["has the full settings after the update", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("PATCH", SETTINGS, { body: RANGE })
      assert.deepStrictEqual([answer.status, answer.body], [200, RANGE])
      assert.deepStrictEqual((yield* send("GET", SETTINGS)).body, RANGE)
    })],
  "400": ["for a range that ends before it starts, which changes nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const { body: before } = yield* send("GET", SETTINGS)
      const range = { start: { type: "date", date: "2026-02-01" }, end: { type: "date", date: "2026-01-31" } }
      const answer = yield* send("PATCH", SETTINGS, { body: { temporal_settings: range } })
      assert.deepStrictEqual(statusAndCode(answer), [400, "bad_request"])
      assert.isNotEmpty(field(answer, "message"))
      assert.deepStrictEqual((yield* send("GET", SETTINGS)).body, before)
    })],
  ...refused("PATCH", SETTINGS, { body: RANGE }),
  "422": ["lists everything that is wrong", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("PATCH", SETTINGS, { body: { temporal_settings: { start: 5 }, x: 1 } })
      assert.strictEqual(answer.status, 422)
      assert.lengthOf(field<ReadonlyArray<Json>>(answer, "detail"), 3)
    })],
  "500": broken("PATCH", SETTINGS, configuring(defect), { body: RANGE }),
  "503": unavailable("PATCH", SETTINGS, configuring(outage), { body: RANGE })
})

/** The answer to a change of a new connector's field. */
const patched = (connector: Json, name: string, value: unknown) =>
  Effect.gen(function*() {
    const { at } = yield* connected(connector)
    const answer = yield* at("PATCH", "", { body: { [name]: value } })
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual((yield* at("GET", "")).body, answer.body)
    return field<unknown>(answer, name)
  })

const unknownConnector = (method: string, sent: Sent = {}) =>
  ["is 404 client_not_found, also for another workspace's, with a message and details", () =>
    Effect.gen(function*() {
      const { newKey, operate, path, send } = yield* connected()
      const other = yield* operate("POST", "/accounts", { body: { name: "Other" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(other, "personal_workspace")
      const { secret: stranger } = yield* newKey(["api:write"], workspace_id)
      for (
        const answer of [yield* send(method, CONNECTOR, sent), yield* send(method, path, { ...sent, key: stranger })]
      ) {
        assert.deepStrictEqual(statusAndCode(answer), [404, "client_not_found"])
        assert.sameMembers(Object.keys(answer.body as Json), ["error_code", "message", "details"])
      }
    })] as const

section("PATCH /v1/custom-connectors/{connector_id}", {
  name: ["is replaced", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* patched({}, "name", "Other"), "Other")
    })],
  accepted_kinds: ["are replaced", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* patched({ accepted_kinds: ["page"] }, "accepted_kinds", ["email"]), ["email"])
    })],
  metadata: ["is replaced", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual({ ...(yield* patched({ metadata: { a: "1" } }, "metadata", { b: "2" })) as Json }, {
        b: "2"
      })
    })],
  is_active: ["deactivates and reactivates", () =>
    Effect.gen(function*() {
      const { at, ingest } = yield* connected()
      for (const [is_active, status] of [[false, 400], [true, 200]] as const) {
        assert.strictEqual(field(yield* at("PATCH", "", { body: { is_active } }), "is_active"), is_active)
        assert.strictEqual((yield* ingest([{ text: "x" }])).status, status)
      }
    })],
  source_name: ["is immutable: only the present one is taken", () =>
    Effect.gen(function*() {
      const { at } = yield* connected({ source_name: "notes" })
      assert.strictEqual((yield* at("PATCH", "", { body: { source_name: "notes" } })).status, 200)
      const answer = yield* at("PATCH", "", { body: { source_name: "other" } })
      assert.deepStrictEqual([answer.status, answer.body], [422, {
        detail: [{ type: "frozen_field", loc: ["body", "source_name"], msg: "Field is frozen", input: "other" }]
      }])
    })],
  success: ["is the whole connector", () =>
    Effect.gen(function*() {
      const { at, created } = yield* connected()
      const answer = yield* at("PATCH", "", { body: {} })
      assert.deepStrictEqual([answer.status, answer.body], [200, created.body])
    })],
  ...refused("PATCH", CONNECTOR, { body: {} }),
  "unknown connector": unknownConnector("PATCH", { body: {} }),
  "422": ["lists everything that is wrong", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      const answer = yield* at("PATCH", "", { body: { name: "", metadata: [], is_active: 1 } })
      assert.deepStrictEqual(field<ReadonlyArray<Json>>(answer, "detail").map(({ loc }) => loc), [
        ["body", "name"],
        ["body", "metadata"],
        ["body", "is_active"]
      ])
    })],
  "500": broken("PATCH", CONNECTOR, Layer.mock(Connectors, { update: () => defect }), { body: {} })
})

section("DELETE /v1/custom-connectors/{connector_id}", {
  success: ["answers the deactivation, each time", () =>
    Effect.gen(function*() {
      const { at, created } = yield* connected()
      const body = { status: "deactivated", connector_id: field(created, "connector_id") }
      for (let time = 0; time < 2; time++) {
        const answer = yield* at("DELETE", "")
        assert.deepStrictEqual([answer.status, answer.body], [200, body])
      }
    })],
  ...refused("DELETE", CONNECTOR),
  "unknown connector": unknownConnector("DELETE"),
  "422": ["for a query that cannot be read", () =>
    Effect.gen(function*() {
      const { at } = yield* connected()
      const answer = yield* at("DELETE", "?delete_documents=perhaps")
      assert.deepStrictEqual(field<ReadonlyArray<Json>>(answer, "detail").map(({ loc }) => loc), [
        ["query", "delete_documents"]
      ])
    })],
  "500": broken("DELETE", CONNECTOR, Layer.mock(Connectors, { deactivate: () => defect }))
})

section("GET /v1/knowledge/ask/jobs", {
  "newest first": ["and without answers", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const query of ["first", "second", "third"]) {
        yield* send("POST", "/v1/knowledge/ask", { body: { query, async: true } })
        yield* TestClock.adjust("5 seconds")
      }
      const jobs = field<ReadonlyArray<Json>>(yield* send("GET", JOBS), "jobs")
      assert.deepStrictEqual(jobs.map(({ query }) => query), ["third", "second", "first"])
      for (const job of jobs) assert.notProperty(job, "result")
    })],
  success: ["is an object", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("GET", JOBS)
      assert.deepStrictEqual([answer.status, answer.body], [200, { jobs: [], next_cursor: null }])
    })],
  ...refused("GET", JOBS),
  "500": broken("GET", JOBS, Layer.mock(Asks, { jobs: () => defect })),
  "503": unavailable("GET", JOBS, Layer.mock(Asks, { jobs: () => outage }))
})

section("GET /v1/usage/current", {
  entitlements: ["stand in it, with the limits of the plan", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const { documents, storage, tier } = field<Readonly<Record<string, Json>>>(
        yield* send("GET", "/v1/usage/current"),
        "entitlements"
      )
      assert.deepStrictEqual([tier as unknown, documents?.["limit"], storage?.["limit"]], ["free", 10_000, 500_000_000])
    })],
  uncapped: ["workspaces omit the limits", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ tier: "pro" })
      const { documents, storage } = field<Readonly<Record<string, Json>>>(
        yield* send("GET", "/v1/usage/current"),
        "entitlements"
      )
      for (const meter of [documents!, storage!]) assert.notProperty(meter, "limit")
    })]
})

section("Other operations", {
  status: ["GET /v1/knowledge/status says whether the context is up to date", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("GET", "/v1/knowledge/status")
      assert.deepStrictEqual([answer.status, field(answer, "up_to_date")], [200, true])
    })],
  refresh: ["POST /v1/knowledge/refresh refreshes at once, and is limited", () =>
    Effect.gen(function*() {
      const { ingest, send } = yield* connected()
      yield* ingest([{ text: "x" }])
      const answer = yield* send("POST", "/v1/knowledge/refresh")
      assert.match(field(answer, "task_id"), UUID)
      assert.strictEqual(answer.headers.get("ratelimit-policy"), "2;w=3600")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(field(yield* send("GET", "/v1/knowledge/status"), "pending_documents"), 0)
    })],
  ask: ["POST /v1/knowledge/ask answers, and is limited", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("POST", "/v1/knowledge/ask", { body: { query: "q" } })
      assert.deepStrictEqual([answer.status, answer.headers.get("ratelimit-policy")], [200, "5;w=60"])
    })],
  search: ["POST /v1/knowledge/search takes a string `q`, and is limited", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("POST", "/v1/knowledge/search", { body: { q: "x" } })
      assert.deepStrictEqual([answer.status, answer.headers.get("ratelimit-policy")], [200, "20;w=60"])
      assert.strictEqual((yield* send("POST", "/v1/knowledge/search", { body: { q: 1 } })).status, 422)
      assert.strictEqual((yield* send("POST", "/v1/knowledge/search", { body: {} })).status, 422)
    })],
  ingest: ["answers the result or the 402; a file is one document", () =>
    Effect.gen(function*() {
      const { at, ingest, limit } = yield* connected()
      assert.strictEqual(field(yield* ingest([{ text: "x" }]), "status"), "accepted")
      const body = [
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n",
        "One.\n\nTwo.\r\n--b--\r\n"
      ].join("")
      const form = { raw: body, headers: { "content-type": "multipart/form-data; boundary=b" } }
      assert.strictEqual(field(yield* at("POST", "/ingest/typed/upload", form), "events"), 1)
      yield* limit({ documents: 2 })
      assert.strictEqual((yield* ingest([{ text: "x" }])).status, 402)
    })]
})
