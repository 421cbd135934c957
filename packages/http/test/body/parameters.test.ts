// Query parameters (validation decisions, section 6).
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { wire } from "../support/wire.ts"

describe("6 Path and query", () => {
  const limit = ["query", "limit"]
  const integer = "Input should be a valid integer, unable to parse string as an integer"
  const ge = { type: "greater_than_equal", msg: "Input should be greater than or equal to 1", ctx: { ge: 1 } }
  const le = { type: "less_than_equal", msg: "Input should be less than or equal to 100", ctx: { le: 100 } }
  const cases: ReadonlyArray<readonly [query: string, input: string, problem: object]> = [
    ...["abc", "", "1e1", "5.0", "+5", "1_0", "0x1"].map((text) =>
      [`limit=${encodeURIComponent(text)}`, text, { type: "int_parsing", msg: integer }] as const
    ),
    ["limit=%205", " 5", { type: "int_parsing", msg: integer }],
    ["limit=0", "0", ge],
    ["limit=-1", "-1", ge],
    ["limit=101", "101", le],
    ["limit=99999999999999999999", "99999999999999999999", le],
    ["limit=1&limit=0", "0", ge]
  ]

  it.effect("limit", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const [query, input, problem] of cases) {
        const answer = yield* send("GET", `/v1/knowledge/ask/jobs?${query}`)
        assert.deepStrictEqual(
          [answer.status, answer.body],
          [422, { detail: [{ loc: limit, input, ...problem }] }],
          query
        )
      }
      for (const query of ["limit=1", "limit=100", "limit=05", "limit=0&limit=5", "unknown=x", "__proto__=x", ""]) {
        assert.strictEqual((yield* send("GET", `/v1/knowledge/ask/jobs?${query}`)).status, 200, query)
      }
    }))

  // decisions.md §3 "Order of checks": 422 of the query comes before the 404 of the resource.
  it.effect("what is no cursor is reported before the resource is looked for", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const lists = ["custom-connectors/nowhere/documents", "connections/nowhere/runs", "webhooks/nowhere/deliveries"]
      for (const list of lists) {
        for (const cursor of ["nonsense", "", "e30", "WyJhIl0"]) {
          const answer = yield* send("GET", `/v1/${list}?cursor=${cursor}`)
          assert.deepStrictEqual([answer.status, answer.body], [422, {
            detail: [{
              type: "value_error",
              loc: ["query", "cursor"],
              msg: "Value error, not a valid cursor",
              input: cursor
            }]
          }], `${list} ${cursor}`)
        }
        assert.strictEqual((yield* send("GET", `/v1/${list}`)).status, 404, list)
      }
    }))

  it.effect("all parameters are reported at once, in order; wait has its own bounds", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const expected = "'queued', 'running', 'succeeded', 'failed' or 'cancelled'"
      const answer = yield* send("GET", "/v1/knowledge/ask/jobs?status=foo&cursor=x&limit=x")
      assert.deepStrictEqual(answer.body, {
        detail: [
          { type: "int_parsing", loc: limit, msg: integer, input: "x" },
          { type: "value_error", loc: ["query", "cursor"], msg: "Value error, not a valid cursor", input: "x" },
          {
            type: "literal_error",
            loc: ["query", "status"],
            msg: `Input should be ${expected}`,
            input: "foo",
            ctx: { expected }
          }
        ]
      })
      const cursor = yield* send("GET", "/v1/knowledge/ask/jobs?cursor=nonsense")
      assert.deepStrictEqual([cursor.status, cursor.body], [422, {
        detail: [{
          type: "value_error",
          loc: ["query", "cursor"],
          msg: "Value error, not a valid cursor",
          input: "nonsense"
        }]
      }])
      assert.strictEqual((yield* send("GET", `/v1/knowledge/ask/jobs/${crypto.randomUUID()}?wait=31`)).status, 422)
      assert.strictEqual((yield* send("GET", `/v1/knowledge/ask/jobs/${crypto.randomUUID()}?wait=0`)).status, 404)
      const inactive = yield* send("GET", "/v1/custom-connectors?include_inactive=x")
      assert.deepStrictEqual(inactive.body, {
        detail: [{
          type: "bool_parsing",
          loc: ["query", "include_inactive"],
          msg: "Input should be a valid boolean, unable to interpret input",
          input: "x"
        }]
      })
      for (const value of ["true", "false", "1", "0"]) {
        assert.strictEqual((yield* send("GET", `/v1/custom-connectors?include_inactive=${value}`)).status, 200)
      }
    }))
})
