// decisions.md §5 "Ask": `Accept: text/event-stream` streams `citation`, `delta`, `done` and `error`.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connected, type Json } from "../support/connected.ts"
import { code, field } from "../support/wire.ts"

const ASK = "/v1/knowledge/ask"

const asked = Effect.gen(function*() {
  const service = yield* connected()
  yield* service.ingest([
    {
      external_id: "a",
      title: "Deploys",
      text: "Deploys run on weekdays before 16:00. A deploy on Friday needs a reason."
    },
    { external_id: "b", title: "Freeze", text: "Deploys stop in the last week of the year." }
  ])
  return { ...service, ask: (query: string) => service.listen("POST", ASK, { body: { query } }) }
})

describe("An answer as a stream", () => {
  it.effect("has its citations, its text in pieces, and finally the whole, which equals the answer in JSON", () =>
    Effect.gen(function*() {
      const { ask, send } = yield* asked
      const stream = yield* ask("When do deploys run?")
      assert.deepStrictEqual([stream.status, stream.headers.get("content-type")], [200, "text/event-stream"])
      const events = yield* stream.events
      assert.isTrue(yield* stream.ended)
      const whole = yield* send("POST", ASK, { body: { query: "When do deploys run?" } })
      const data = (name: string) => events.filter((event) => event.name === name).map(({ data }) => data)
      assert.deepStrictEqual(data("done"), [whole.body])
      assert.isTrue(field<boolean>(whole, "answered"))
      assert.deepStrictEqual(data("citation"), field(whole, "citations"))
      assert.strictEqual(
        data("delta").map((delta) => (delta as Json)["text"]).join(""),
        field<string>(whole, "response")
      )
      let cited = 0
      for (const { data, name } of events) {
        if (name === "citation") cited++
        if (name !== "delta") continue
        for (const [, marker] of ((data as Json)["text"] as string).matchAll(/\[(\d+)\]/g)) {
          assert.isAtMost(Number(marker), cited)
        }
      }
      assert.strictEqual(events.at(-1)?.name, "done")
    }))

  it.effect("says so if nothing answers the question", () =>
    Effect.gen(function*() {
      const { ask } = yield* asked
      const events = yield* (yield* ask("Zebra?")).events
      assert.deepStrictEqual(events.map(({ name }) => name), ["delta", "done"])
      assert.deepInclude(events.at(-1)?.data as Json, { answered: false, citations: [] })
    }))

  it.effect("counts as one question, with the headers of its window", () =>
    Effect.gen(function*() {
      const { ask } = yield* asked
      for (let remaining = 4; remaining >= 0; remaining--) {
        const { headers } = yield* ask("When?")
        assert.deepStrictEqual(
          ["limit", "remaining", "policy"].map((name) => headers.get(`ratelimit-${name}`)),
          ["5", String(remaining), "5;w=60"]
        )
      }
      const limited = yield* ask("When?")
      assert.deepStrictEqual([limited.status, limited.headers.get("content-type")], [429, "application/problem+json"])
    }))

  it.effect("is refused before it starts, like an answer in JSON", () =>
    Effect.gen(function*() {
      const { newKey, send } = yield* asked
      const headers = { accept: "text/event-stream" }
      const invalid = yield* send("POST", ASK, { body: { query: "", x: 1 }, headers })
      assert.deepStrictEqual(
        [invalid.status, field<ReadonlyArray<Json>>(invalid, "detail").map(({ type }) => type)],
        [422, ["string_too_short", "extra_forbidden"]]
      )
      assert.strictEqual(
        code(yield* send("POST", ASK, { key: "x", body: { query: "q" }, headers })),
        "authentication_error"
      )
      const { secret } = yield* newKey(["runtime:read"])
      assert.strictEqual(
        code(yield* send("POST", ASK, { key: secret, body: { query: "q" }, headers })),
        "insufficient_scopes"
      )
    }))

  it.effect("is not used if the question is answered later", () =>
    Effect.gen(function*() {
      const { send } = yield* asked
      const answer = yield* send("POST", ASK, {
        body: { query: "q", async: true },
        headers: { accept: "text/event-stream" }
      })
      assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [202, "application/json"])
    }))
})
