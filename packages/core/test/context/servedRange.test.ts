/** Which range questions are answered from while the range changes, and while days pass. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../../src/ask/Asks.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { Search } from "../../src/search/Search.ts"
import { service, settle, until } from "../support/connecting.ts"
import { connected } from "../support/services.ts"
import { tinySource } from "../support/tinySource.ts"

/** A test with a service that begins at that moment: it would live through all the time before. */
const from = <A, E>(now: string, test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof zembla>>>) => () =>
  Effect.andThen(TestClock.setTime(Date.parse(now)), Effect.provide(test, service(tinySource())))

/** A workspace with a snapshot of one document of that moment, and what its context says of it. */
const zembla = Effect.fnUntraced(function*(timestamp: string) {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const text = "The capital of Zembla is Onhava."
  yield* (yield* Ingest).text(workspace, connector_id, [
    { external_id: "a", text, timestamp: new Date(timestamp) }
  ])
  const [asks, knowledge, search] = [yield* Asks, yield* KnowledgeContext, yield* Search]
  const status = knowledge.status(id)
  yield* until(
    Effect.map(status, ({ latest_snapshot, pending_documents }) => latest_snapshot !== null && pending_documents === 0)
  )
  const seen = Effect.gen(function*() {
    const { answered } = yield* asks.ask(id, { query: "What is the capital of Zembla?" })
    const { results } = yield* search.search(id, { q: "Zembla", in_context: true })
    const { results: all } = yield* search.search(id, { q: "Zembla" })
    return { answered, found: results.length, in_context: all[0]?.in_context }
  })
  return { workspace, knowledge, seen, status }
})

const WITHIN = { answered: true, found: 1, in_context: true }
const OUTSIDE = { answered: false, found: 0, in_context: false }

it.effect(
  "a new range applies once it is built: until then questions are answered from the previous one",
  from(
    "2026-05-05T12:00:00Z",
    Effect.gen(function*() {
      const { workspace, knowledge, seen, status } = yield* zembla("2024-01-01T00:00:00Z")
      assert.deepStrictEqual(yield* seen, OUTSIDE)
      const before = (yield* status).latest_snapshot
      yield* knowledge.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
      assert.deepStrictEqual(yield* seen, OUTSIDE)
      yield* until(Effect.map(status, ({ up_to_date }) => up_to_date))
      assert.notStrictEqual((yield* status).latest_snapshot, before)
      assert.deepStrictEqual(yield* seen, WITHIN)
    })
  )
)

it.effect(
  "a relative range moves at midnight UTC, by itself and without a rebuild",
  from(
    "2026-05-05T23:58:00Z",
    Effect.gen(function*() {
      const leaves = yield* zembla("2025-05-05T23:00:00Z")
      const comes = yield* zembla("2027-05-06T01:00:00Z")
      const before = [yield* leaves.status, yield* comes.status].map(({ latest_snapshot }) => latest_snapshot)
      assert.deepStrictEqual([yield* leaves.seen, yield* comes.seen], [WITHIN, OUTSIDE])
      yield* TestClock.setTime(Date.parse("2026-05-06T00:00:01Z"))
      assert.deepStrictEqual([yield* leaves.seen, yield* comes.seen], [OUTSIDE, WITHIN])
      yield* settle()
      const after = [yield* leaves.status, yield* comes.status]
      assert.deepStrictEqual(after.map(({ latest_snapshot }) => latest_snapshot), before)
      assert.isTrue(after.every(({ state, up_to_date }) => state === "ready" && up_to_date))
    })
  )
)

it.effect(
  "an event that ends before it starts is in the range of its start",
  from(
    "2026-05-05T12:00:00Z",
    Effect.gen(function*() {
      const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
      const payload = { kind: "calendar", title: "Parade", start: "2026-06-01T10:00:00Z", end: "2016-06-01T11:00:00Z" }
      const item = { external_id: "parade", timestamp: new Date("2026-05-05T12:00:00Z"), payload }
      yield* (yield* Ingest).typed(workspace, connector_id, [item])
      const status = (yield* KnowledgeContext).status(id)
      for (const pending of [1, 0]) {
        yield* until(Effect.map(status, ({ pending_documents }) => pending_documents <= pending))
        const { citations } = yield* (yield* Asks).ask(id, { query: "When does the parade start?" })
        assert.deepStrictEqual(citations.map(({ entity }) => entity.external_id), ["parade"])
      }
    })
  )
)
