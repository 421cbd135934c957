/**
 * Invalid bodies do not count against a rate limit of an operation, so the work for them is limited apart, for each
 * workspace.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { extent } from "../../../../.ci/extent.ts"
import { rateLimitProblem } from "../../src/api/ErrorBody.ts"
import { OPERATED, PUBLIC } from "../support/operations.ts"
import { type Answer, BASE_URL, code, field, type Sent, wire } from "../support/wire.ts"

const MIB = 1_048_576

const ACCEPT = { accept: "application/json, text/event-stream", "content-type": "application/json" }

const callOf = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`

const letters = (bytes: number): string => "x".repeat(bytes)

/** A request that is refused because of its body, and the number of them that use up the limit. */
const REFUSED: Readonly<Record<string, readonly [path: string, raw: string, number: number]>> = {
  "a small body with an unknown field": ["/v1/connections", `{"x":"${letters(255 * 1_024)}"}`, 257],
  "a large body with an unknown field": ["/v1/custom-connectors/x/ingest", `{"x":"${letters(22 * MIB)}"}`, 3],
  "a message of an assistant that is not JSON": ["/mcp", `{"x":"${letters(22 * MIB)}`, 3],
  "an assistant's call with wrong arguments": ["/mcp", callOf("search", `{"query":"${letters(22 * MIB)}"}`), 3]
}

const isThrottled = (answer: Answer): boolean => {
  if (answer.status !== 429) return false
  assert.strictEqual(field(answer, "endpoint"), "refused_bodies")
  return true
}

const TRIED = extent(
  ["a small body with an unknown field", "an assistant's call with wrong arguments"],
  Object.keys(REFUSED)
)

describe("The work for refused bodies", () => {
  it("is documented as limited for every operation with a body", () => {
    const window = { limit: 1, remaining: 0, window_seconds: 60, retry_after: 60 }
    const body = rateLimitProblem({ endpoint: "refused_bodies", ...window }, BASE_URL)
    const headers = new Headers({ "x-request-id": "1" })
    for (const { complaint, name } of [...PUBLIC, ...OPERATED].filter(({ takesBody }) => takesBody)) {
      assert.isUndefined(complaint({ status: 429, headers, body }), name)
    }
  })

  it.effect("is limited for any operation and for assistants, for a minute", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const kind of TRIED) {
        const [path, raw, number] = REFUSED[kind]!
        const refused = send("POST", path, { raw, headers: ACCEPT })
        for (let count = 0; count < number; count++) assert.isFalse(isThrottled(yield* refused), kind)
        assert.isTrue(isThrottled(yield* refused), kind)
        const small = { body: { q: "x" }, headers: { "content-length": "9" } }
        assert.strictEqual((yield* send("POST", "/v1/knowledge/search", small)).status, 200)
        yield* TestClock.adjust("1 minute")
      }
    }))

  it.effect("is limited for a workspace with any key from any address, and for no other workspace", () =>
    Effect.gen(function*() {
      const { account, newKey, operate, send } = yield* wire()
      const [one, two] = [(yield* newKey(["api:write"])).secret, (yield* newKey(["api:write"])).secret]
      const added = yield* operate("POST", "/workspaces", { body: { account_id: account.account_id, name: "Other" } })
      const other = (yield* newKey(["api:write"], field(added, "workspace_id") as string)).secret
      const [path, raw, number] = REFUSED["a large body with an unknown field"]!
      const refusedBy = (sender: Pick<Sent, "key" | "address">) =>
        send("POST", path, { raw, headers: ACCEPT, ...sender })
      for (let count = 0; count < number; count++) yield* refusedBy({ key: one, address: "192.0.2.1" })
      assert.isTrue(isThrottled(yield* refusedBy({ key: one, address: "192.0.2.2" })))
      assert.isTrue(isThrottled(yield* refusedBy({ key: two, address: "192.0.2.3" })))
      const apart = yield* refusedBy({ key: other, address: "192.0.2.1" })
      assert.deepStrictEqual([apart.status, code(apart)], [422, undefined])
    }))

  it.effect("does not count what an operation refuses, such as documents over a quota", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const body = { name: "Wiki", source_name: "wiki" }
      const connector = field(yield* send("POST", "/v1/custom-connectors", { body }), "connector_id")
      const raw = `{"items":[{"text":"${letters(22 * MIB)}"}]}`
      for (let count = 0; count < 4; count++) {
        const path = `/v1/custom-connectors/${connector}/ingest/text`
        assert.strictEqual(code(yield* send("POST", path, { raw, headers: ACCEPT })), "quota_exceeded")
      }
    }))
})
