// Cursors of a search on the wire (validation.md 6 and 8.9).
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { connected } from "../support/connected.ts"
import { field } from "../support/wire.ts"

it.effect("A cursor is valid only for the search that it was made for, with pages of any size", () =>
  Effect.gen(function*() {
    const { ingest, send } = yield* connected()
    yield* ingest(["a", "b", "c"].map((external_id) => ({ external_id, text: "A gryphon sleeps at the gate." })))
    const search = (body: object) => send("POST", "/v1/knowledge/search", { body })
    const request = { q: "gryphon", sources: ["custom:notes"], from: "1970-01-01T00:00:00Z" }
    const cursor = field<string>(yield* search({ ...request, limit: 1 }), "next_cursor")
    const others = [
      { q: "gate" },
      { sources: null },
      { from: "1969-01-01T00:00:00Z" },
      { to: "2999-01-01T00:00:00Z" },
      { metadata: { team: "core" } },
      { mode: "keyword" },
      { group_by: "chunk" },
      { in_context: true }
    ]
    for (const other of others) {
      const { body, status } = yield* search({ ...request, ...other, cursor })
      const problem = { type: "value_error", loc: ["body", "cursor"], msg: "Value error, not a valid cursor" }
      assert.deepStrictEqual(
        [status, body],
        [422, { detail: [{ ...problem, input: cursor }] }],
        JSON.stringify(other)
      )
    }
    const same = { from: "1970-01-01T01:00:00+01:00", mode: "hybrid", include_evidence: true, limit: 2 }
    const rest = yield* search({ ...request, ...same, cursor })
    assert.deepStrictEqual([rest.status, field(rest, "count"), field(rest, "next_cursor")], [200, 2, null])
    assert.strictEqual(rest.headers.get("ratelimit-remaining"), "18")
  }))

it.effect("What is no cursor is reported with the other problems of the search", () =>
  Effect.gen(function*() {
    const { send } = yield* connected()
    for (const cursor of ["", "nonsense", "x".repeat(20_000)]) {
      const { body, status } = yield* send("POST", "/v1/knowledge/search", { body: { limit: "1", cursor } })
      const problems = (body as { readonly detail: ReadonlyArray<{ readonly type: string; readonly loc: unknown }> })
        .detail.map(({ loc, type }) => [type, loc])
      assert.deepStrictEqual([status, problems], [422, [
        ["missing", ["body", "q"]],
        ["int_type", ["body", "limit"]],
        ["value_error", ["body", "cursor"]]
      ]])
    }
  }))
