// The question log: who sees it, what is stored, and feedback.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, code, field, type Sent, wire } from "../support/wire.ts"

const QUESTIONS = "/v1/knowledge/questions"
const QUERY = "When do deploys run?"

interface Question {
  readonly question_id: string
  readonly query: string
  readonly answered: boolean
  readonly model: string
  readonly sources: ReadonlyArray<string>
  readonly documents: ReadonlyArray<string>
  readonly duration_ms: number
  readonly asked_at: string
  readonly principal: { readonly type: string; readonly id: string }
  readonly feedback: { readonly useful: boolean; readonly comment: string | null; readonly given_at: string } | null
}

const questionsIn = (answer: Answer) => field<ReadonlyArray<Question>>(answer, "questions")

const idOf = ({ headers }: Answer): string => headers.get("x-question-id") ?? ""

const prepared = Effect.gen(function*() {
  yield* TestClock.setTime(Date.parse("2026-05-05T10:00:00.000Z"))
  const service = yield* wire({ tier: "pro" })
  const { send } = service
  const connector = yield* send("POST", "/v1/custom-connectors", { body: { name: "W", source_name: "wiki" } })
  const path = `/v1/custom-connectors/${field<string>(connector, "connector_id")}/ingest/text`
  const ingested = yield* send("POST", path, {
    body: { items: [{ external_id: "rfc", text: "Deploys run on weekdays before 16:00." }] }
  })
  const [rfc] = field<ReadonlyArray<{ readonly document_id: string }>>(ingested, "items")
  const ask = (query: string, sent: Sent = {}) => send("POST", "/v1/knowledge/ask", { body: { query }, ...sent })
  const newToken = Effect.fnUntraced(function*(metadata: object, key?: string) {
    const body = { expires_in: 3_600, filter: { sources: ["custom:wiki"], metadata } }
    return field<string>(yield* send("POST", "/v1/tokens", { body, ...(key === undefined ? {} : { key }) }), "token")
  })
  return {
    ...service,
    ask,
    newToken,
    documentId: rfc!.document_id,
    list: (query = "") => send("GET", `${QUESTIONS}${query}`)
  }
})

describe("Questions", () => {
  it.effect("are listed newest first, with their citations and who asked", () =>
    Effect.gen(function*() {
      const { ask, documentId, list, newKey } = yield* prepared
      const reader = yield* newKey(["knowledge:read"])
      const answered = yield* ask(QUERY, { key: reader.secret })
      yield* TestClock.adjust("1 minute")
      const unanswered = yield* ask("What is the capital of Zembla?")
      const [second, first] = questionsIn(yield* list())
      assert.deepStrictEqual(first, {
        question_id: idOf(answered),
        query: QUERY,
        answered: true,
        model: "extractive",
        sources: ["custom:wiki"],
        documents: [documentId],
        duration_ms: 0,
        asked_at: "2026-05-05T10:00:00.000Z",
        principal: { type: "api_key", id: reader.key_id },
        feedback: null
      })
      assert.deepInclude(second, { question_id: idOf(unanswered), answered: false, sources: [], documents: [] })
      assert.deepStrictEqual(questionsIn(yield* list("?answered=false")), [second!])
      assert.deepStrictEqual(questionsIn(yield* list("?answered=true")), [first!])
      const page = yield* list("?limit=1")
      assert.deepStrictEqual(questionsIn(page), [second!])
      assert.deepStrictEqual(
        questionsIn(yield* list(`?limit=1&cursor=${field<string>(page, "next_cursor")}`)),
        [first!]
      )
    }))

  it.effect("have the same id in the stream of an answer and in its job", () =>
    Effect.gen(function*() {
      const { ask, list, send } = yield* prepared
      const streamed = yield* ask(QUERY, { headers: { accept: "text/event-stream" } })
      const job = yield* send("POST", "/v1/knowledge/ask", { body: { query: QUERY, async: true } })
      assert.strictEqual(idOf(job), "")
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 10 })
      assert.deepStrictEqual(
        questionsIn(yield* list()).map(({ question_id }) => question_id).sort(),
        [idOf(streamed), field<string>(job, "job_id")].sort()
      )
    }))

  it.effect("keep the last feedback", () =>
    Effect.gen(function*() {
      const { ask, list, send } = yield* prepared
      const path = `${QUESTIONS}/${idOf(yield* ask(QUERY))}/feedback`
      yield* send("POST", path, { body: { useful: true } })
      const rated = yield* send("POST", path, { body: { useful: false, comment: "At 15:00 since May." } })
      const feedback = { useful: false, comment: "At 15:00 since May.", given_at: "2026-05-05T10:00:00.000Z" }
      assert.deepStrictEqual(field(rated, "feedback"), feedback)
      assert.deepStrictEqual(questionsIn(yield* list())[0]!.feedback, feedback)
      const none = yield* send("POST", `${QUESTIONS}/no-id/feedback`, { body: { useful: true } })
      assert.deepStrictEqual([none.status, code(none)], [404, "question_not_found"])
    }))

  it.effect("are hidden from tokens with a filter, and rated only by their own callers", () =>
    Effect.gen(function*() {
      const { ask, list, newKey, newToken, send } = yield* prepared
      const [mine, theirs] = [yield* newToken({ team: "a" }), yield* newToken({ team: "b" })]
      const other = yield* newKey(["api:read"])
      const sameFilter = yield* newToken({ team: "a" }, other.secret)
      const path = `${QUESTIONS}/${idOf(yield* ask(QUERY, { key: mine }))}/feedback`
      const ofKey = `${QUESTIONS}/${idOf(yield* ask(QUERY))}/feedback`
      const rate = (path: string, key: string) => send("POST", path, { key, body: { useful: true } })
      assert.strictEqual((yield* send("GET", QUESTIONS, { key: mine })).status, 403)
      for (const [at, key] of [[path, theirs], [path, sameFilter], [ofKey, mine]] as const) {
        assert.strictEqual((yield* rate(at, key)).status, 404)
      }
      assert.strictEqual((yield* rate(path, mine)).status, 200)
      assert.strictEqual((yield* rate(path, yield* newToken({ team: "a" }))).status, 200)
      assert.deepStrictEqual(questionsIn(yield* list()).map(({ feedback }) => feedback?.useful), [undefined, true])
    }))

  it.effect("are deleted one by one, up to a time, or all", () =>
    Effect.gen(function*() {
      const { ask, list, send } = yield* prepared
      const asked = []
      for (const query of ["One?", "Two?", "Three?", "Four?"]) {
        asked.push(idOf(yield* ask(query)))
        yield* TestClock.adjust("1 second")
      }
      const queries = Effect.map(list(), (answer) => questionsIn(answer).map(({ query }) => query))
      const one = `${QUESTIONS}/${asked[2]}`
      assert.deepStrictEqual((yield* send("DELETE", one)).body, { status: "deleted", question_id: asked[2] })
      assert.strictEqual(code(yield* send("DELETE", one)), "question_not_found")
      const before = yield* send("DELETE", `${QUESTIONS}?before=2026-05-05T10:00:01.000Z`)
      assert.deepStrictEqual(before.body, { status: "deleted", questions_deleted: 1 })
      assert.deepStrictEqual(yield* queries, ["Four?", "Two?"])
      assert.deepStrictEqual((yield* send("DELETE", QUESTIONS)).body, { status: "deleted", questions_deleted: 2 })
      assert.deepStrictEqual(yield* queries, [])
    }))
})
