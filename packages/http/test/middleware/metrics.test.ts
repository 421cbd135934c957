// decisions.md §2 "Machine endpoints": `/metrics`, and §9 "TRIBUTARY_METRICS".
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { wire } from "../support/wire.ts"

const METRICS = "/metrics"

/** The number of requests in a line of the metrics; 0 if the line is absent. */
const counted = (text: string, method: string, route: string, status: number): number => {
  const labels = `http_request_method="${method}",http_response_status_code="${status}",http_route="${route}"`
  const line = text.split("\n").find((line) => line.startsWith(`http_server_request_duration_seconds_count{${labels}}`))
  return Number(line?.split(" ").at(-1) ?? 0)
}

describe("Metrics", () => {
  it.effect("count requests by route, method and status, without ids", () =>
    Effect.gen(function*() {
      const { send, workspace } = yield* wire()
      const read = Effect.map(send("GET", METRICS, { key: null }), ({ text }) => text)
      const unknown = `/v1/custom-connectors/${crypto.randomUUID()}`
      const before = yield* read
      yield* send("GET", unknown)
      yield* send("GET", unknown)
      yield* send("GET", unknown, { key: null })
      yield* send("POST", "/v1/knowledge/search", { body: {} })
      yield* send("GET", `/nowhere/${workspace.workspace_id}`)
      const after = yield* read
      const more = (...labels: [method: string, route: string, status: number]) =>
        counted(after, ...labels) - counted(before, ...labels)
      assert.strictEqual(more("GET", "/v1/custom-connectors/:connector_id", 404), 2)
      assert.strictEqual(more("GET", "/v1/custom-connectors/:connector_id", 401), 1)
      assert.strictEqual(more("POST", "/v1/knowledge/search", 422), 1)
      assert.strictEqual(more("GET", "other", 404), 1)
      for (const id of [workspace.workspace_id, unknown]) assert.notInclude(after, id)
    }))

  it.effect("have one series for all methods that the API has no use for, because clients can send any", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      yield* send("X-ONE", "/nowhere")
      yield* send("X-TWO", "/v1/knowledge/search")
      const { text } = yield* send("GET", METRICS, { key: null })
      assert.notInclude(text, "X-")
      assert.isAtLeast(counted(text, "_OTHER", "other", 404) + counted(text, "_OTHER", "other", 405), 2)
    }))

  it.effect("are in the text format of Prometheus, and need no key", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      yield* send("GET", "/v1/usage/current")
      const { headers, status, text } = yield* send("GET", METRICS, { key: null })
      assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/plain; version=0.0.4; charset=utf-8"])
      assert.include(text, "# TYPE http_server_request_duration_seconds histogram\n")
      assert.match(text, /^http_server_request_duration_seconds_bucket\{.*,le="\+Inf"\} \d+$/m)
    }))

  it.effect("do not exist if they are switched off", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ metrics: false })
      assert.strictEqual((yield* send("GET", METRICS, { key: null })).status, 404)
      assert.strictEqual((yield* send("POST", METRICS, { key: null })).status, 404)
    }))
})
