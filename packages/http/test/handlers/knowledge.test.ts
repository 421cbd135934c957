// The knowledge operations on the wire (interface.md "Knowledge settings", "Rate-limit error"; decisions 3 and 5).
import { assert, describe, it } from "@effect/vitest"
import type { Answer as AskAnswer } from "@tributary/core/model/Ask"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, BASE_URL, code, field, UUID, wire } from "../support/wire.ts"

const DEFAULT = { temporal_settings: { start: { type: "relative", days: 365 }, end: { type: "relative", days: 365 } } }

/** A connector with one text in it. */
const withText = Effect.fnUntraced(function*(text: string) {
  const service = yield* wire()
  const created = yield* service.send("POST", "/v1/custom-connectors", {
    body: { name: "Notes", source_name: "notes" }
  })
  const connector = field<string>(created, "connector_id")
  const items = [{ external_id: "doc-1", text, title: "Title", metadata: { team: "core", ["__proto__"]: "kept" } }]
  yield* service.send("POST", `/v1/custom-connectors/${connector}/ingest/text`, { body: { items } })
  return { ...service, connector }
})

describe("PATCH /v1/knowledge/settings", () => {
  it.effect("the default range is one year back and ahead", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("GET", "/v1/knowledge/settings")
      assert.deepStrictEqual([answer.status, answer.body], [200, DEFAULT])
    }))

  it.effect("1. an empty change changes nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const body of [{}, { temporal_settings: null }]) {
        const answer = yield* send("PATCH", "/v1/knowledge/settings", { body })
        assert.deepStrictEqual([answer.status, answer.body], [200, DEFAULT])
        assert.strictEqual(field(yield* send("GET", "/v1/knowledge/status"), "up_to_date"), true)
      }
    }))

  it.effect("2, 4. a range replaces the previous one and starts a rebuild at once, even if it is equal", () =>
    Effect.gen(function*() {
      const { hold, send } = yield* wire()
      const body = { temporal_settings: { start: null, end: { type: "date", date: "9999-12-31" } } }
      for (let time = 0; time < 2; time++) {
        yield* hold(true)
        const answer = yield* send("PATCH", "/v1/knowledge/settings", { body })
        assert.deepStrictEqual([answer.status, answer.body], [200, body])
        assert.deepStrictEqual((yield* send("GET", "/v1/knowledge/settings")).body, body)
        const status = yield* send("GET", "/v1/knowledge/status")
        assert.deepStrictEqual([field(status, "up_to_date"), field(status, "state")], [false, "rebuilding"])
        yield* hold(false)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(field(yield* send("GET", "/v1/knowledge/status"), "up_to_date"), true)
      }
    }))

  it.effect("a range whose start is after its end is 400 and changes nothing", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const range = { start: { type: "date", date: "2025-02-01" }, end: { type: "date", date: "2025-01-01" } }
      const answer = yield* send("PATCH", "/v1/knowledge/settings", { body: { temporal_settings: range } })
      assert.deepStrictEqual([answer.status, code(answer)], [400, "bad_request"])
      assert.deepStrictEqual((yield* send("GET", "/v1/knowledge/settings")).body, DEFAULT)
      assert.strictEqual(field(yield* send("GET", "/v1/knowledge/status"), "up_to_date"), true)
    }))
})

describe("GET /v1/knowledge/status", () => {
  it.effect("has the published fields", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("GET", "/v1/knowledge/status")
      assert.sameMembers(Object.keys(answer.body as object), [
        "loaded",
        "up_to_date",
        "latest_snapshot",
        "latest_built_at",
        "loaded_snapshot",
        "evidence_watermark",
        "state",
        "progress",
        "pending_documents",
        "error"
      ])
    }))
})

describe("POST /v1/knowledge/refresh", () => {
  it.effect("accepts an optional body, and numbers its runs", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ tier: "pro" })
      const bodies = [{}, { raw: "" }, { raw: "null" }, { body: {} }, { body: { delete_old_snapshots: true } }]
      for (const [index, sent] of bodies.entries()) {
        const answer = yield* send("POST", "/v1/knowledge/refresh", sent)
        assert.strictEqual(answer.status, 200)
        assert.match(field(answer, "task_id"), UUID)
        assert.deepStrictEqual([field(answer, "status"), field(answer, "run_id")], ["queued", index + 1])
        assert.isNumber(field(answer, "snapshots_deleted"))
        assert.isNull(answer.headers.get("ratelimit-limit"))
      }
      const refused = yield* send("POST", "/v1/knowledge/refresh", { body: { delete_old_snapshots: 1, x: 2 } })
      assert.deepStrictEqual([refused.status, refused.body], [422, {
        detail: [
          {
            type: "bool_type",
            loc: ["body", "delete_old_snapshots"],
            msg: "Input should be a valid boolean",
            input: 1
          },
          { type: "extra_forbidden", loc: ["body", "x"], msg: "Extra inputs are not permitted", input: 2 }
        ]
      }])
    }))

  it.effect("a search and a question name an empty list of sources, which filters nothing, and an empty range", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ tier: "pro" })
      const [from, to] = ["2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z"]
      const noSources = "sources: an empty list filters nothing"
      const noMoment = "from, to: nothing matches, because from is not before to"
      for (const [path, words] of [["search", { q: "plan" }], ["ask", { query: "plan" }]] as const) {
        for (
          const [filter, expected] of [
            [{ sources: [] }, [noSources]],
            [{ from, to }, [noMoment]],
            [{ from, to: from }, [noMoment]],
            [{ from, to, sources: [] }, [noMoment, noSources]]
          ] as const
        ) {
          const { body, status } = yield* send("POST", `/v1/knowledge/${path}`, { body: { ...words, ...filter } })
          const { warnings } = body as { readonly warnings: ReadonlyArray<string> }
          assert.deepStrictEqual([status, warnings], [200, expected], path)
        }
      }
    }))
})

describe("Rate-limit error (429)", () => {
  const operations = [
    ["refresh", {}, 2, 3_600],
    ["search", { q: "x" }, 20, 60],
    ["ask", { query: "x" }, 5, 60]
  ] as const

  it.effect.each(operations)(
    "%s: body and headers are exact, and the window rolls over",
    ([name, body, limit, seconds]) =>
      Effect.gen(function*() {
        const { newKey, send } = yield* wire()
        const other = yield* newKey(["api:read", "api:write"])
        const path = `/v1/knowledge/${name}`
        const rates = ({ headers }: Answer) =>
          ["limit", "remaining", "reset", "policy"].map((part) => headers.get(`ratelimit-${part}`))
        for (let used = 1; used <= limit; used++) {
          const answer = yield* send("POST", path, { body, key: used % 2 === 0 ? other.secret : undefined! })
          assert.strictEqual(answer.status, 200)
          assert.deepStrictEqual(rates(answer), [`${limit}`, `${limit - used}`, `${seconds}`, `${limit};w=${seconds}`])
          assert.isNull(answer.headers.get("retry-after"))
        }
        yield* TestClock.adjust("1500 millis")
        // Refused requests do not prolong the window.
        for (let again = 0; again < 3; again++) {
          const wait = seconds - 1
          const refused = yield* send("POST", path, { body })
          assert.strictEqual(refused.status, 429)
          assert.strictEqual(refused.headers.get("content-type"), "application/problem+json")
          assert.strictEqual(refused.headers.get("retry-after"), `${wait}`)
          assert.deepStrictEqual(rates(refused), [`${limit}`, "0", `${wait}`, `${limit};w=${seconds}`])
          assert.deepStrictEqual(refused.body, {
            type: `${BASE_URL}/errors/rate_limit_exceeded`,
            title: "Too Many Requests",
            status: 429,
            detail: `The rate limit of ${name} is used up. Retry in ${wait} seconds.`,
            error_code: "rate_limit_exceeded",
            endpoint: name,
            limit,
            remaining: 0,
            window_seconds: seconds,
            retry_after: wait
          })
        }
        yield* TestClock.adjust(`${seconds - 1} seconds`)
        assert.strictEqual((yield* send("POST", path, { body })).headers.get("ratelimit-remaining"), `${limit - 1}`)
      })
  )

  it.effect("polling and listing jobs cost nothing, and workspaces do not share windows", () =>
    Effect.gen(function*() {
      const { newKey, operate, send } = yield* wire()
      for (let count = 0; count < 30; count++) {
        assert.strictEqual((yield* send("GET", "/v1/knowledge/ask/jobs")).status, 200)
      }
      for (let count = 0; count < 5; count++) yield* send("POST", "/v1/knowledge/ask", { body: { query: "q" } })
      assert.strictEqual((yield* send("POST", "/v1/knowledge/ask", { body: { query: "q" } })).status, 429)
      const account = yield* operate("POST", "/accounts", { body: { name: "Other" } })
      const { workspace_id } = field<{ readonly workspace_id: string }>(account, "personal_workspace")
      const { secret } = yield* newKey(["api:read"], workspace_id)
      const answer = yield* send("POST", "/v1/knowledge/ask", { key: secret, body: { query: "q" } })
      assert.strictEqual(answer.status, 200)
    }))
})

describe("POST /v1/knowledge/search", () => {
  it.effect("finds ingested documents at once, in the published form", () =>
    Effect.gen(function*() {
      const { send } = yield* withText("The gryphon guards the northern gate.")
      const answer = yield* send("POST", "/v1/knowledge/search", { body: { q: "gryphon", include_evidence: true } })
      assert.strictEqual(answer.status, 200)
      assert.sameMembers(Object.keys(answer.body as object), ["count", "results", "next_cursor", "warnings"])
      const [result] = field<ReadonlyArray<Readonly<Record<string, unknown>>>>(answer, "results")
      assert.deepInclude(result, {
        evidence_type: "custom",
        external_id: "doc-1",
        source: "custom:notes",
        title: "Title",
        url: null,
        in_context: true,
        timestamp: "1970-01-01T00:00:00.000Z"
      })
      assert.include(result?.["snippet"] as string, "gryphon")
      assert.deepStrictEqual(Object.keys(result?.["metadata"] as object), ["team", "__proto__"])
      assert.strictEqual(field(answer, "count"), 1)
    }))

  it.effect("an invalid cursor is reported at its location in the body; semantic search needs a model", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      const answer = yield* send("POST", "/v1/knowledge/search", { body: { q: "x", cursor: "nonsense" } })
      assert.deepStrictEqual([answer.status, answer.body], [422, {
        detail: [{
          type: "value_error",
          loc: ["body", "cursor"],
          msg: "Value error, not a valid cursor",
          input: "nonsense"
        }]
      }])
      // decisions.md §3 "Order of checks": what is malformed costs no rate-limit token.
      const right = yield* send("POST", "/v1/knowledge/search", { body: { q: "x" } })
      assert.strictEqual(right.headers.get("ratelimit-remaining"), "19")
      const semantic = yield* send("POST", "/v1/knowledge/search", { body: { q: "x", mode: "semantic" } })
      assert.deepStrictEqual([semantic.status, code(semantic)], [400, "bad_request"])
      assert.strictEqual(semantic.headers.get("ratelimit-remaining"), "18")
    }))

  it.effect("unknown fields are refused", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      assert.strictEqual((yield* send("POST", "/v1/knowledge/search", { body: { q: "x", query: "y" } })).status, 422)
      assert.strictEqual((yield* send("POST", "/v1/knowledge/ask", { body: { query: "x", q: "y" } })).status, 422)
    }))
})

describe("POST /v1/knowledge/ask", () => {
  it.effect("answers with verbatim citations, and says so if there is no answer", () =>
    Effect.gen(function*() {
      const text = "The gryphon guards the northern gate. The southern gate is open."
      const { connector, send } = yield* withText(text)
      yield* TestClock.adjust("10 seconds")
      const answer = yield* send("POST", "/v1/knowledge/ask", { body: { query: "Who guards the northern gate?" } })
      assert.strictEqual(answer.status, 200)
      assert.sameMembers(Object.keys(answer.body as object), [
        "response",
        "citations",
        "truncated",
        "answered",
        "snapshot",
        "model"
      ])
      assert.deepStrictEqual([field(answer, "answered"), field(answer, "model")], [true, "extractive"])
      const document = yield* send("GET", `/v1/custom-connectors/${connector}/documents/doc-1`)
      const citations = field<ReadonlyArray<{ readonly entity: Readonly<Record<string, string & number>> }>>(
        answer,
        "citations"
      )
      assert.isAbove(citations.length, 0)
      for (const { entity } of citations) {
        const { end, marker, quote, start } = entity
        assert.strictEqual(field<string>(document, "text").slice(start, end), quote)
        assert.include(field(answer, "response"), `[${marker}]`)
      }
      const nothing = yield* send("POST", "/v1/knowledge/ask", { body: { query: "zyzzyva?" } })
      assert.deepStrictEqual([field(nothing, "answered"), field(nothing, "citations")], [false, []])
    }))

  it.effect("later: 202, a Location, a job that can be awaited, listed without its answer, and never cancelled twice", () =>
    Effect.gen(function*() {
      const { send } = yield* withText("The gryphon guards the northern gate.")
      const first = yield* send("POST", "/v1/knowledge/ask", {
        body: { query: "Who guards the northern gate?", async: true }
      })
      const job = field<string>(first, "job_id")
      assert.deepStrictEqual([first.status, first.headers.get("location")], [202, `/v1/knowledge/ask/jobs/${job}`])
      assert.strictEqual(first.headers.get("ratelimit-remaining"), "4")
      const fields = ["job_id", "status", "query", "created_at", "started_at", "finished_at", "attempt", "error"]
      assert.sameMembers(Object.keys(first.body as object), fields)
      assert.strictEqual(field(first, "status"), "queued")

      const waiting = yield* Effect.forkChild(send("GET", `/v1/knowledge/ask/jobs/${job}?wait=30`))
      yield* TestClock.adjust("30 seconds")
      const done = yield* Fiber.join(waiting)
      assert.strictEqual(field(done, "status"), "succeeded")
      assert.strictEqual(field<{ readonly answered: boolean }>(done, "result").answered, true)

      const listed = yield* send("GET", "/v1/knowledge/ask/jobs?status=succeeded")
      const [entry] = field<ReadonlyArray<object>>(listed, "jobs")
      assert.deepStrictEqual([Object.keys(listed.body as object).sort(), listed.status], [["jobs", "next_cursor"], 200])
      assert.sameMembers(Object.keys(entry!), fields)
      assert.deepStrictEqual(field(yield* send("GET", "/v1/knowledge/ask/jobs?status=failed"), "jobs"), [])
      assert.strictEqual(field(yield* send("DELETE", `/v1/knowledge/ask/jobs/${job}`), "status"), "succeeded")
    }))

  it.effect("later: what a job quotes of a document is withheld once the document is deleted", () =>
    Effect.gen(function*() {
      const { connector, send } = yield* withText("The gryphon guards the northern gate.")
      const items = [{ external_id: "doc-2", text: "The gryphon sleeps, says a rumour." }]
      yield* send("POST", `/v1/custom-connectors/${connector}/ingest/text`, { body: { items } })
      const jobs: Array<string> = []
      for (const query of ["Who guards the northern gate?", "Why did the gryphon resign in 1987?"]) {
        const job = yield* send("POST", "/v1/knowledge/ask", { body: { query, async: true } })
        jobs.push(field(job, "job_id"))
      }
      yield* TestClock.adjust("30 seconds")
      const results = Effect.forEach(jobs, (job) =>
        Effect.map(
          send("GET", `/v1/knowledge/ask/jobs/${job}`),
          (answer) => field<AskAnswer>(answer, "result")
        ))
      const externalIds = ({ related = [] }: AskAnswer) => related.map(({ entity }) => entity.external_id)

      const [answered, unanswered] = yield* results
      assert.include(answered!.response, "gryphon guards")
      assert.sameMembers(externalIds(unanswered!), ["doc-1", "doc-2"])

      yield* send("DELETE", `/v1/custom-connectors/${connector}/documents/doc-1`)
      const [withheld, narrowed] = yield* results
      assert.notInclude(JSON.stringify([withheld, narrowed]), "guards")
      assert.deepStrictEqual([withheld!.answered, withheld!.citations], [false, []])
      assert.include(withheld!.response, "withheld")
      assert.deepStrictEqual([narrowed!.response, externalIds(narrowed!)], [unanswered!.response, ["doc-2"]])

      yield* send("DELETE", `/v1/custom-connectors/${connector}/documents/doc-2`)
      const [, bare] = yield* results
      assert.notProperty(bare, "related")
    }))

  it.effect("Prefer: respond-async does the same", () =>
    Effect.gen(function*() {
      const { send } = yield* wire()
      for (const prefer of ["respond-async", "wait=5, respond-async", "Respond-Async; x=1"]) {
        const answer = yield* send("POST", "/v1/knowledge/ask", { body: { query: "q" }, headers: { prefer } })
        assert.strictEqual(answer.status, 202, prefer)
      }
      const sync = yield* send("POST", "/v1/knowledge/ask", {
        body: { query: "q" },
        headers: { prefer: "return=minimal" }
      })
      assert.strictEqual(sync.status, 200)
    }))

  it.effect("a queued job can be cancelled, and an unknown one is 404", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ held: true })
      const job = field<string>(
        yield* send("POST", "/v1/knowledge/ask", { body: { query: "q", async: true } }),
        "job_id"
      )
      assert.strictEqual(field(yield* send("DELETE", `/v1/knowledge/ask/jobs/${job}`), "status"), "cancelled")
      for (const id of [crypto.randomUUID(), "x", "%00", "%2F"]) {
        for (const method of ["GET", "DELETE"]) {
          const answer = yield* send(method, `/v1/knowledge/ask/jobs/${id}`)
          assert.deepStrictEqual([answer.status, code(answer)], [404, "job_not_found"])
        }
      }
    }))

  it.effect("jobs are paged, newest first", () =>
    Effect.gen(function*() {
      const { send } = yield* wire({ tier: "pro" })
      const made: Array<string> = []
      for (let count = 0; count < 5; count++) {
        made.unshift(
          field(yield* send("POST", "/v1/knowledge/ask", { body: { query: `q${count}`, async: true } }), "job_id")
        )
        yield* TestClock.adjust("1 milli")
      }
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: Answer = yield* send(
          "GET",
          `/v1/knowledge/ask/jobs?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`
        )
        seen.push(...field<ReadonlyArray<{ readonly job_id: string }>>(page, "jobs").map(({ job_id }) => job_id))
        cursor = field<string | null>(page, "next_cursor")
      } while (cursor !== null)
      assert.deepStrictEqual(seen, made)
    }))
})
