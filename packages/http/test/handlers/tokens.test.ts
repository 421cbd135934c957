// Tokens that narrow: what they may do, what they see by each operation, and when they end.
import { assert, describe, it } from "@effect/vitest"
import { isShown, type TokenFilter } from "@tributary/core/model/Token"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { TokenAccess } from "../../src/api/Access.ts"
import { Api } from "../../src/api/Api.ts"
import { operationsOf } from "../../src/api/operationsOf.ts"
import type { Json } from "../support/connected.ts"
import { FORM_TYPE, formText, PUBLIC } from "../support/operations.ts"
import { FILTER, FILTERED, full, idsOf, TEXT } from "../support/narrowed.ts"
import { type Answer, code, field } from "../support/wire.ts"

describe("A token with a filter", () => {
  it.effect("sees its documents, in every operation that applies it", () =>
    Effect.gen(function*() {
      const { as, hidden, locked, shown, token, vault, wiki } = yield* full
      const send = as(token)
      const found = yield* send("POST", "/v1/knowledge/search", { body: { q: "deploys", mode: "keyword" } })
      assert.deepStrictEqual(idsOf(found, "results"), [shown])
      const chunks = yield* send("POST", "/v1/knowledge/search", {
        body: { q: "deploys", group_by: "chunk", limit: 1 }
      })
      assert.deepStrictEqual([idsOf(chunks, "results"), field(chunks, "next_cursor")], [[shown], null])
      const elsewhere = yield* send("POST", "/v1/knowledge/search", {
        body: { q: "deploys", sources: ["custom:vault"] }
      })
      assert.deepStrictEqual(elsewhere.body, {
        count: 0,
        results: [],
        next_cursor: null,
        warnings: ["sources: nothing in this workspace matches \"custom:vault\""]
      })

      const asked = yield* send("POST", "/v1/knowledge/ask", { body: { query: "When do deploys run?" } })
      assert.isTrue(field(asked, "answered"))
      assert.notInclude(asked.text, "Hidden")
      const cited = field<ReadonlyArray<{ readonly entity: { readonly id: string } }>>(asked, "citations")
      assert.deepStrictEqual([...new Set(cited.map(({ entity }) => entity.id))], [shown])
      const streamed = yield* send("POST", "/v1/knowledge/ask", {
        body: { query: "What is hidden of the vault?" },
        headers: { accept: "text/event-stream" }
      })
      assert.include(streamed.text, "event: done")
      const unheard = yield* send("POST", "/v1/knowledge/ask", {
        body: { query: "When do deploys run?", sources: ["custom:vault"] },
        headers: { accept: "text/event-stream" }
      })
      assert.include(unheard.text, "matches \\\"custom:vault\\\"")
      assert.notInclude(streamed.text, "Hidden")

      assert.strictEqual((yield* send("GET", `/v1/documents/${shown}`)).status, 200)
      for (const id of [hidden, locked]) {
        assert.strictEqual(code(yield* send("GET", `/v1/documents/${id}`)), "document_not_found")
      }
      assert.deepStrictEqual(idsOf(yield* send("GET", `${wiki}/documents`), "documents"), [shown])
      const browsed = yield* send("GET", "/v1/documents?sort=title&limit=1")
      assert.deepStrictEqual([idsOf(browsed, "documents"), field(browsed, "total")], [[shown], 1])
      assert.strictEqual(field(yield* send("GET", "/v1/documents?source=custom:vault"), "total"), 0)
      assert.strictEqual((yield* send("GET", `${wiki}/documents/shown`)).status, 200)
      assert.strictEqual(code(yield* send("GET", `${wiki}/documents/hidden`)), "document_not_found")
      for (const path of [vault, `${vault}/documents`, `${vault}/documents/locked`]) {
        assert.strictEqual(code(yield* send("GET", path)), "client_not_found", path)
      }
      const connectors = (yield* send("GET", "/v1/custom-connectors")).body as ReadonlyArray<Json>
      assert.deepStrictEqual(connectors.map(({ source_name }) => source_name), ["wiki"])
      assert.strictEqual((yield* send("GET", wiki)).status, 200)

      assert.deepStrictEqual(idsOf(yield* send("GET", "/v1/runtime/events"), "events"), [shown])
      assert.deepStrictEqual(idsOf(yield* send("GET", `/v1/runtime/events?document_id=${hidden}`), "events"), [])
      const usage = yield* send("GET", "/v1/usage/current")
      assert.deepStrictEqual(field(usage, "scopes"), ["api:read"])
    }))

  it.effect("gets full pages, and a cursor while there are more, however many are hidden between", () =>
    Effect.gen(function*() {
      const { as, ingest, token, wiki } = yield* full
      const items = Array.from({ length: 61 }, (_, at) => ({
        external_id: `note-${at}`,
        text: `Note ${at}`,
        metadata: { team: at % 7 === 0 ? "a" : "b" }
      }))
      yield* ingest(wiki, items)
      const seen = items.filter(({ metadata }) => metadata.team === "a").map(({ external_id }) => external_id)
      // The one that everybody begins with is the tenth.
      for (const [path, list] of [[`${wiki}/documents`, "documents"], ["/v1/runtime/events", "events"]] as const) {
        const pages: Array<ReadonlyArray<string>> = []
        for (let cursor: string | null = ""; cursor !== null;) {
          const page: Answer = yield* as(token)("GET", `${path}?limit=5${cursor && `&cursor=${cursor}`}`)
          pages.push(field<ReadonlyArray<{ readonly external_id: string }>>(page, list).map((one) => one.external_id))
          cursor = field<string | null>(page, "next_cursor")
        }
        assert.deepStrictEqual(pages.map(({ length }) => length), [5, 5], path)
        assert.sameMembers(pages.flat(), ["shown", ...seen])
      }
    }))

  it.effect("can use ask jobs that another filter and another key do not see", () =>
    Effect.gen(function*() {
      const { as, issue, newKey, newToken, send, shown, token } = yield* full
      const body = { query: "When do deploys run?", async: true }
      const job = yield* as(token)("POST", "/v1/knowledge/ask", { body })
      assert.strictEqual(job.status, 202)
      const path = job.headers.get("location")!
      const hidden = field<string>(yield* send("POST", "/v1/knowledge/ask", { body }), "job_id")
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
      const answered = yield* as(token)("GET", path)
      const { citations } = field<{ readonly citations: ReadonlyArray<{ readonly entity: Json }> }>(answered, "result")
      assert.deepStrictEqual([...new Set(citations.map(({ entity }) => entity["id"]))], [shown])
      assert.notInclude(answered.text, "Hidden")

      const again = yield* newToken({ filter: FILTER })
      assert.strictEqual((yield* as(again)("GET", path)).status, 200)
      const jobsOf = (key: string) =>
        Effect.map(
          as(key)("GET", "/v1/knowledge/ask/jobs?limit=1"),
          (answer) => field<ReadonlyArray<{ readonly job_id: string }>>(answer, "jobs").map(({ job_id }) => job_id)
        )
      assert.deepStrictEqual(yield* jobsOf(again), [field<string>(job, "job_id")])
      assert.strictEqual(code(yield* as(again)("GET", `/v1/knowledge/ask/jobs/${hidden}`)), "job_not_found")
      const other = yield* newKey(["api:read"])
      const ofOther = yield* issue({ expires_in: 60, filter: FILTER }, { key: other.secret })
      const strangers = [yield* newToken({ filter: { sources: ["custom:wiki"] } }), field<string>(ofOther, "token")]
      for (const stranger of strangers) {
        assert.strictEqual(code(yield* as(stranger)("GET", path)), "job_not_found")
        assert.deepStrictEqual(yield* jobsOf(stranger), [])
      }
      assert.strictEqual((yield* send("GET", path)).status, 200)
    }))

  it.effect("does not see what an ask job quotes of a document that its filter no longer shows", () =>
    Effect.gen(function*() {
      const { as, ingest, send, token, wiki } = yield* full
      const body = { query: "When do deploys run?", async: true }
      const path = (yield* as(token)("POST", "/v1/knowledge/ask", { body })).headers.get("location")!
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
      assert.include((yield* as(token)("GET", path)).text, "weekdays")
      yield* ingest(wiki, [{ external_id: "shown", text: TEXT, metadata: { team: "b" } }])
      assert.notInclude((yield* as(token)("GET", path)).text, "weekdays")
      assert.include((yield* send("GET", path)).text, "weekdays")
    }))

  it.effect("sees only its own events", () =>
    Effect.gen(function*() {
      const { ingest, listen, token, vault, wiki } = yield* full
      const stream = yield* listen("GET", "/v1/runtime/events", { key: token })
      yield* ingest(vault, [{ external_id: "a", text: "x", metadata: { team: "a" } }])
      yield* ingest(wiki, [{ external_id: "b", text: "x", metadata: { team: "b" } }])
      yield* ingest(wiki, [{ external_id: "c", text: "x", metadata: { team: "a" } }])
      yield* TestClock.adjust("2 seconds")
      const heard = yield* stream.events
      assert.deepStrictEqual(heard.map(({ data }) => (data as Json)["external_id"]), ["c"])
      yield* stream.close
    }))

  it.effect("can do nothing else: operations that do not apply the filter refuse it", () =>
    Effect.gen(function*() {
      const { as, token } = yield* full
      const endpoints = new Map(operationsOf(Api).map(({ endpoint }) => [endpoint.identifier, endpoint]))
      const honouring = PUBLIC.filter(({ name }) =>
        Context.get(endpoints.get(name)!.annotations, TokenAccess) === "filtered"
      )
      assert.deepStrictEqual(honouring.map(({ name }) => name).sort(), FILTERED)
      for (const { example, method, name, path, takesBody, takesForm } of PUBLIC) {
        if (FILTERED.includes(name)) continue
        const sent = takesForm
          ? { raw: formText({}, "text"), headers: { "content-type": FORM_TYPE } }
          : takesBody
          ? { body: example }
          : {}
        const answer = yield* as(token)(method, path.replaceAll(/:\w+/g, crypto.randomUUID()), sent)
        assert.strictEqual(answer.status, 403, name)
        assert.include(["permission_denied", "insufficient_scopes"], code(answer), name)
      }
    }))

  it.effect("shows what the index shows, for any filter", () =>
    Effect.gen(function*() {
      const { as, ingest, newToken, vault, wiki } = yield* full
      const days = [1, 2, 3].map((day) => `2026-04-0${day}T00:00:00.000Z`)
      for (const [path, team] of [[wiki, "a"], [wiki, "b"], [vault, "a"]] as const) {
        yield* ingest(path, days.map((timestamp) => ({ text: "lighthouse", timestamp, metadata: { team } })))
      }
      type Result = {
        readonly source: string
        readonly evidence_type: string
        readonly metadata: Record<string, string>
      }
      const all = field<ReadonlyArray<Result & { readonly id: string; readonly timestamp: string }>>(
        yield* as(yield* newToken({}))("POST", "/v1/knowledge/search", { body: { q: "lighthouse", limit: 100 } }),
        "results"
      )
      assert.lengthOf(all, 9)
      for (const sources of [undefined, ["custom:wiki"], ["custom"], ["nothing"], ["custom:vault", "page"]]) {
        for (const metadata of [undefined, {}, { team: "a" }, { team: "a", x: "y" }]) {
          for (
            const [from, to] of [[undefined, undefined], [days[1], undefined], [undefined, days[1]], [days[1], days[2]]]
          ) {
            const filter = {
              ...(sources && { sources }),
              ...(metadata && { metadata }),
              ...(from && { from }),
              ...(to && { to })
            }
            const decoded: TokenFilter = {
              ...(sources && { sources }),
              ...(metadata && { metadata }),
              ...(from && { from: new Date(from) }),
              ...(to && { to: new Date(to) })
            }
            const send = as(yield* newToken({ filter }))
            const found = yield* send("POST", "/v1/knowledge/search", { body: { q: "lighthouse", limit: 100 } })
            const expected = all.filter((result) =>
              isShown(decoded, { ...result, kind: result.evidence_type, timestamp: new Date(result.timestamp) })
            )
            assert.sameMembers(
              [...idsOf(found, "results")],
              expected.map(({ id }) => id),
              JSON.stringify(filter)
            )
          }
        }
      }
    }))

  it.effect("works the same for an assistant", () =>
    Effect.gen(function*() {
      const { assistant, hidden, shown, token } = yield* full
      const { call, tool } = assistant(token)
      const { tools } = yield* call("tools/list")
      assert.deepStrictEqual(
        tools.map(({ name }: { readonly name: string }) => name),
        ["search", "fetch", "ask", "list_sources"]
      )
      const found = yield* tool("search", { query: "deploys" })
      assert.deepStrictEqual(idsOf({ body: found.structuredContent }, "results"), [shown])
      assert.strictEqual((yield* tool("fetch", { id: shown })).structuredContent.text, TEXT)
      assert.isTrue((yield* tool("fetch", { id: hidden })).isError)
      assert.notInclude(JSON.stringify(yield* tool("ask", { query: "When do deploys run?" })), "Hidden")
      const { connectors } = (yield* tool("list_sources")).structuredContent
      assert.deepStrictEqual(
        connectors.map(({ documents, source }: Json) => [source, documents]),
        [["custom:wiki", 1]]
      )
      assert.isTrue((yield* tool("add_documents", { connector: "wiki", documents: [{ text: "x" }] })).isError)
    }))
})

describe("A token", () => {
  it.effect("has at most the scopes of its key, and with a filter only those that read", () =>
    Effect.gen(function*() {
      const { as, issue, newKey, newToken, wiki } = yield* full
      const writer = yield* newToken({ scopes: ["custom_connectors:ingest"] })
      const items = { body: { items: [{ text: "x" }] } }
      assert.strictEqual((yield* as(writer)("POST", `${wiki}/ingest/text`, items)).status, 200)
      const refused = yield* as(writer)("POST", "/v1/knowledge/search", { body: { q: "x" } })
      assert.strictEqual(code(refused), "insufficient_scopes")
      const reader = (yield* newKey(["knowledge:read"])).secret
      const locOf = Effect.fnUntraced(function*(body: Json, key?: string) {
        const answer = yield* issue(body, key === undefined ? {} : { key })
        assert.strictEqual(answer.status, 422)
        return field<ReadonlyArray<{ readonly loc: unknown }>>(answer, "detail")[0]!.loc
      })
      assert.deepStrictEqual(yield* locOf({ expires_in: 60, scopes: ["api:read"] }, reader), ["body", "scopes"])
      const pusher = (yield* newKey(["custom_connectors:ingest"])).secret
      assert.deepStrictEqual(yield* locOf({ expires_in: 60, filter: FILTER }, pusher), ["body", "scopes"])
      assert.deepStrictEqual(
        yield* locOf({ expires_in: 60, scopes: ["custom_connectors:ingest"], filter: FILTER }),
        ["body", "scopes"]
      )
      const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, "x".repeat(500)]))
      assert.deepStrictEqual(yield* locOf({ expires_in: 60, filter: { metadata: long } }), ["body", "filter"])
      const firstOf = (body: Json) =>
        Effect.map(issue(body), (answer) => field<ReadonlyArray<Json>>(answer, "detail")[0])
      assert.deepStrictEqual(yield* firstOf({ expires_in: 60, scopes: ["api:write"], filter: FILTER }), {
        type: "value_error",
        loc: ["body", "scopes"],
        msg: "Value error, a token with a filter only reads",
        input: ["api:write"]
      })
      assert.deepStrictEqual(yield* firstOf({ expires_in: 60, filter: { metadata: long } }), {
        type: "value_error",
        loc: ["body", "filter"],
        msg: "Value error, is too large for a token"
      })
      assert.deepStrictEqual(yield* locOf({ expires_in: 59 }), ["body", "expires_in"])
      assert.deepStrictEqual(yield* locOf({ expires_in: 86_401 }), ["body", "expires_in"])
      assert.deepStrictEqual(yield* locOf({ expires_in: 60, filter: { sources: [] } }), ["body", "filter", "sources"])
    }))

  it.effect("creates neither tokens nor workspaces", () =>
    Effect.gen(function*() {
      const { as, newToken } = yield* full
      const send = as(yield* newToken({}))
      assert.strictEqual(code(yield* send("POST", "/v1/tokens", { body: { expires_in: 60 } })), "permission_denied")
      assert.strictEqual(code(yield* send("POST", "/v1/workspaces", { body: { name: "W" } })), "permission_denied")
    }))

  it.effect("expires at its time or with its key, and is revoked with its key at once", () =>
    Effect.gen(function*() {
      const { account, as, issue, key, newKey, operate } = yield* full
      const statusOf = (token: string) => Effect.map(as(token)("GET", "/v1/usage/current"), ({ status }) => status)
      const made = yield* issue({ expires_in: 60 })
      assert.strictEqual(field(made, "expires_at"), "2026-05-05T10:01:00.000Z")
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual(yield* statusOf(field(made, "token")), 200)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* statusOf(field(made, "token")), 401)

      const other = yield* newKey(["api:read"])
      const [ofOther, ofKey] = [
        yield* issue({ expires_in: 3_600 }, { key: other.secret }),
        yield* issue({ expires_in: 60 })
      ]
      assert.strictEqual(yield* statusOf(field(ofOther, "token")), 200)
      yield* operate("DELETE", `/api-keys/${other.key_id}`)
      assert.strictEqual(yield* statusOf(field(ofOther, "token")), 401)
      assert.strictEqual(yield* statusOf(field(ofKey, "token")), 200)

      const workspace = `/workspaces/${account.personal_workspace.workspace_id}`
      const short = yield* operate("POST", `${workspace}/api-keys`, {
        body: { name: "Short", scopes: ["api:read"], expires_at: "2026-05-05T10:02:00Z" }
      })
      const ofShort = yield* issue({ expires_in: 3_600 }, { key: field<string>(short, "secret") })
      assert.strictEqual(field(ofShort, "expires_at"), "2026-05-05T10:02:00.000Z")
      yield* operate("PATCH", workspace, { body: { suspended: true } })
      assert.strictEqual(yield* statusOf(field(ofKey, "token")), 403)
      yield* operate("PATCH", workspace, { body: { suspended: false } })
      assert.strictEqual(yield* statusOf(field(ofKey, "token")), 200)
      assert.isNotNull(key.key_id)
    }))

  it.effect("is invalid after any change", () =>
    Effect.gen(function*() {
      const { as, newToken, newKey, issue } = yield* full
      const token = yield* newToken({ filter: FILTER })
      const [payload, signature] = token.slice("tk_live_".length).split(".") as [string, string]
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
      const forged = (changes: Json, sign = signature) =>
        `tk_live_${Buffer.from(JSON.stringify({ ...claims, ...changes })).toString("base64url")}.${sign}`
      const other = yield* newKey(["api:read"])
      const ofOther = field<string>(yield* issue({ expires_in: 60, filter: FILTER }, { key: other.secret }), "token")
      for (
        const credential of [
          forged({ filter: null }),
          forged({ scopes: ["api:write"] }),
          forged({ expires_at: claims.expires_at + 1 }),
          forged({ key_id: other.key_id }),
          forged({}, ofOther.split(".")[1]),
          forged({}, "A".repeat(43)),
          `tk_live_${payload}`,
          `tk_live_${payload}.`,
          `tk_live_.${signature}`,
          "tk_live_",
          `tk_live_${"x".repeat(100)}.${signature}`,
          `${token}A`
        ]
      ) {
        assert.strictEqual(code(yield* as(credential)("GET", "/v1/usage/current")), "authentication_error", credential)
      }
      assert.strictEqual((yield* as(forged({}))("GET", "/v1/usage/current")).status, 200)
    }))
})
