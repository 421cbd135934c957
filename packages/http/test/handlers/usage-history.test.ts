// The usage of a workspace by day.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, field, wire } from "../support/wire.ts"

const HISTORY = "/v1/usage/history"
const SEARCH = "/v1/knowledge/search"

interface Day {
  readonly day: string
  readonly documents: number
  readonly storage: number
  readonly operations: ReadonlyArray<{
    readonly operation: string
    readonly requests: number
    readonly refusals: Readonly<Record<string, number>>
    readonly p50_ms: number | null
    readonly p95_ms: number | null
  }>
}

const daysIn = (answer: Answer) => field<ReadonlyArray<Day>>(answer, "days")

const used = ({ operations }: Day, operation: string) => operations.find((one) => one.operation === operation)

const preparedAt = Effect.fnUntraced(function*(moment: string) {
  yield* TestClock.setTime(Date.parse(moment))
  const service = yield* wire({ tier: "pro" })
  return { ...service, days: Effect.map(service.send("GET", HISTORY), daysIn) }
})

const prepared = preparedAt("2026-05-05T10:00:00.000Z")

describe("The history of usage", () => {
  it.effect("counts requests by operation, with refusals by code and storage", () =>
    Effect.gen(function*() {
      const { days, newKey, operate, send, workspace } = yield* prepared
      const made = yield* send("POST", "/v1/custom-connectors", { body: { name: "W", source_name: "wiki" } })
      const connector = field<string>(made, "connector_id")
      yield* send("POST", `/v1/custom-connectors/${connector}/ingest/text`, {
        body: { items: [{ external_id: "a", text: "alpha" }] }
      })
      yield* send("POST", SEARCH, { body: { q: "alpha" } })
      yield* send("POST", SEARCH, { body: {} })
      const reader = yield* newKey(["connections:read"])
      yield* send("POST", SEARCH, { body: { q: "alpha" }, key: reader.secret })
      yield* send("POST", SEARCH, { body: { q: "alpha" }, key: "pk_live_unknown" })
      yield* operate("PATCH", `/workspaces/${workspace.workspace_id}`, {
        body: { limits: { search: { limit: 1, window_seconds: 60 } } }
      })
      yield* send("POST", SEARCH, { body: { q: "alpha" } })
      yield* send("POST", SEARCH, { body: { q: "alpha" } })
      yield* send("GET", "/v1/documents/nothing")
      const [day, ...rest] = yield* days
      assert.deepStrictEqual(rest, [])
      assert.deepInclude(day, { day: "2026-05-05", documents: 1, storage: 5 })
      const search = used(day!, `POST ${SEARCH}`)!
      assert.deepInclude(search, {
        requests: 5,
        refusals: { validation_error: 1, insufficient_scopes: 1, rate_limit_exceeded: 1 }
      })
      assert.isAtLeast(search.p95_ms!, search.p50_ms!)
      assert.deepStrictEqual(used(day!, "GET /v1/documents/{document_id}"), {
        operation: "GET /v1/documents/{document_id}",
        requests: 1,
        refusals: { document_not_found: 1 },
        p50_ms: null,
        p95_ms: null
      })
      assert.strictEqual(used(day!, "POST /v1/custom-connectors/{connector_id}/ingest/text")!.requests, 1)
    }))

  it.effect("separates days, and returns as many as requested", () =>
    Effect.gen(function*() {
      const { send } = yield* preparedAt("2026-05-05T23:59:59.000Z")
      yield* send("GET", "/v1/usage/current")
      yield* TestClock.adjust("1 second")
      yield* send("GET", "/v1/usage/current")
      const dates = (query: string) =>
        Effect.map(send("GET", `${HISTORY}${query}`), (answer) => daysIn(answer).map(({ day }) => day))
      assert.deepStrictEqual(yield* dates(""), ["2026-05-05", "2026-05-06"])
      assert.deepStrictEqual(yield* dates("?days=1"), ["2026-05-06"])
      assert.strictEqual((yield* send("GET", `${HISTORY}?days=91`)).status, 422)
    }))

  it.effect("covers only its workspace", () =>
    Effect.gen(function*() {
      const { newKey, operate, send } = yield* prepared
      yield* send("GET", "/v1/usage/current")
      const other = yield* operate("POST", "/accounts", { body: { name: "Other" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(other, "personal_workspace")
      const { secret } = yield* newKey(["api:read"], workspace_id)
      assert.deepStrictEqual(daysIn(yield* send("GET", HISTORY, { key: secret })), [])
    }))
})
