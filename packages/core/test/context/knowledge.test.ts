/** The main job, from push to cited answer, with time in the test's hands. */
import { assert, layer } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import type * as Memory from "@tributary/memory/Memory"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { Asks } from "../../src/ask/Asks.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import type { SearchAnswer } from "../../src/model/Search.ts"
import type { WorkspaceRecord } from "../../src/model/Workspace.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { extractor, service, settle } from "../support/wholeService.ts"

interface Item {
  readonly external_id: string
  readonly text: string
  readonly timestamp?: Date
  readonly metadata?: Record<string, string>
}

const freshConnector = Effect.gen(function*() {
  const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada", tier: "pro" })
  const { connector_id } = yield* (yield* Connectors).create(
    personal_workspace,
    { name: "Notes", source_name: "notes" },
    OPERATOR
  )
  return { workspace: personal_workspace, connector_id, id: personal_workspace.workspace_id }
})

const push = Effect.fnUntraced(
  function*(workspace: WorkspaceRecord, connectorId: string, items: ReadonlyArray<Item>) {
    return yield* (yield* Ingest).text(workspace, connectorId, items)
  }
)

const found = Effect.fnUntraced(function*(id: WorkspaceRecord["workspace_id"], q: string, more: object = {}) {
  const { results } = yield* (yield* Search).search(id, { q, ...more })
  return results.map((result) => result.external_id)
})

const daysFromNow = (days: number) => Effect.map(Clock.currentTimeMillis, (now) => new Date(now + days * 86_400_000))

layer(service)("the knowledge context", (it) => {
  it.effect("counts documents by month, without replaced ones, and previews a range", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const knowledge = yield* KnowledgeContext
      const item = (external_id: string, day: string) => ({ external_id, text: day, timestamp: new Date(day) })
      const days = ["1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1970-01-02", "1959-12-31", "1980-03-01"]
      yield* push(workspace, connector_id, days.map((day, index) => item(String(index), day)))
      yield* push(workspace, connector_id, [item("2", "1969-11-09")])
      const start = { type: "date", date: "1969-11-10" } as const
      assert.deepStrictEqual(yield* knowledge.timeline(id, { start, end: { type: "relative", days: 1 } }), {
        months: [
          { month: "1969-11", documents: 1 },
          { month: "1969-12", documents: 1 },
          { month: "1970-01", documents: 1 }
        ],
        earlier: 1,
        later: 1,
        total: 5,
        in_range: 2
      })
    }))

  it.effect("counts a deleted document no longer where all are of one month", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const counted = Effect.map(
        (yield* KnowledgeContext).timeline(id, { start: null, end: null }),
        ({ in_range, months }) => [months, in_range]
      )
      const timestamp = new Date(0)
      yield* push(workspace, connector_id, ["a", "b"].map((name) => ({ external_id: name, text: name, timestamp })))
      assert.deepStrictEqual(yield* counted, [[{ month: "1970-01", documents: 2 }], 2])
      yield* (yield* Documents).deleteByExternalId(id, connector_id, "a")
      assert.deepStrictEqual(yield* counted, [[{ month: "1970-01", documents: 1 }], 1])
    }))

  it.effect("finds new words and loses deleted and replaced ones at once, before any refresh", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      yield* push(workspace, connector_id, [{ external_id: "a", text: "the zebra sleeps" }])
      assert.deepStrictEqual(yield* found(id, "zebra"), ["a"])
      yield* push(workspace, connector_id, [{ external_id: "a", text: "the giraffe sleeps" }])
      assert.deepStrictEqual(yield* found(id, "zebra"), [])
      assert.deepStrictEqual(yield* found(id, "giraffe"), ["a"])
      yield* (yield* Documents).deleteByExternalId(id, connector_id, "a")
      assert.deepStrictEqual(yield* found(id, "giraffe"), [])
    }))

  it.effect("adds changes to the snapshot by itself, without losing or reviving anything", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const knowledge = yield* KnowledgeContext
      for (let n = 0; n < 30; n++) {
        yield* push(workspace, connector_id, [{ external_id: `doc-${n}`, text: `common word number${n}` }])
        if (n % 7 === 0) yield* settle(10)
        if (n % 10 === 9) yield* (yield* Documents).deleteByExternalId(id, connector_id, `doc-${n - 5}`)
      }
      assert.isAbove((yield* knowledge.status(id)).pending_documents, 0)
      yield* settle(10)
      const status = yield* knowledge.status(id)
      assert.deepStrictEqual([status.pending_documents, status.state, status.up_to_date], [0, "ready", true])
      assert.deepStrictEqual((yield* found(id, "common", { limit: 100 })).length, 27)
      assert.deepStrictEqual(yield* found(id, "number4"), [])
      assert.deepStrictEqual(yield* found(id, "number29"), ["doc-29"])
      const { snapshot } = yield* (yield* KnowledgeStore).head(id)
      assert.isAtMost(snapshot!.segments.length, 8)
    }))

  it.effect("is not up to date from a change of the range until the rebuild is published", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const knowledge = yield* KnowledgeContext
      yield* push(workspace, connector_id, [{
        external_id: "a",
        text: "old zebra",
        timestamp: yield* daysFromNow(-800)
      }])
      yield* settle(10)
      assert.isTrue((yield* knowledge.status(id)).up_to_date)
      yield* knowledge.configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
      const during = yield* knowledge.status(id)
      assert.deepStrictEqual([during.up_to_date, during.state], [false, "rebuilding"])
      yield* settle(10)
      const after = yield* knowledge.status(id)
      assert.deepStrictEqual([after.up_to_date, after.state], [true, "ready"])
      assert.deepStrictEqual(yield* found(id, "zebra"), ["a"])
    }))

  it.effect("answers only from documents in the range, while search covers all", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const asks = yield* Asks
      yield* push(workspace, connector_id, [
        { external_id: "old", text: "The capital of Zembla is Onhava.", timestamp: yield* daysFromNow(-800) }
      ])
      const question = { query: "What is the capital of Zembla?" }
      assert.deepStrictEqual(yield* found(id, "Zembla"), ["old"])
      assert.deepStrictEqual(yield* found(id, "Zembla", { in_context: true }), [])
      assert.deepStrictEqual(yield* found(id, "Zembla", { in_context: false }), ["old"])
      const refused = yield* asks.ask(id, question)
      assert.deepStrictEqual([refused.answered, refused.citations], [false, []])
      yield* (yield* KnowledgeContext).configure(workspace, { temporal_settings: { start: null, end: null } }, OPERATOR)
      const answer = yield* asks.ask(id, question)
      assert.isTrue(answer.answered)
      const [citation] = answer.citations
      const document = yield* (yield* Documents).find(id, citation!.entity.id)
      assert.strictEqual(document.text.slice(citation!.entity.start, citation!.entity.end), citation!.entity.quote)
      assert.include(answer.response, "Onhava")
    }))

  it.effect("answers from a text that contains numbers in brackets", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const text = "The capital of Zembla is Onhava [12]."
      yield* push(workspace, connector_id, [{ external_id: "a", text }])
      const answer = yield* (yield* Asks).ask(id, { query: "What is the capital of Zembla?" })
      assert.deepStrictEqual([answer.response, answer.citations.map(({ entity }) => entity.quote)], [
        "The capital of Zembla is Onhava [ 12 ]. [1]",
        [text]
      ])
    }))

  it.effect("pages through every result once, even if the view changes between two pages", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const search = yield* Search
      yield* push(
        workspace,
        connector_id,
        Array.from({ length: 25 }, (_, n) => ({
          external_id: `doc-${n}`,
          text: `shared ${"pad ".repeat(n)}`
        }))
      )
      const first = yield* search.search(id, { q: "shared", limit: 10 })
      yield* push(workspace, connector_id, [{ external_id: "other", text: "something else" }])
      const second = yield* search.search(id, { q: "shared", limit: 10, cursor: first.next_cursor })
      const third = yield* search.search(id, { q: "shared", limit: 10, cursor: second.next_cursor })
      assert.isNull(third.next_cursor)
      const all = [...first.results, ...second.results, ...third.results].map((result) => result.external_id)
      assert.strictEqual(new Set(all).size, 25)
    }))

  it.effect("pages through every result once, while documents are added that change the order of the others", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const words = "river flood delta gauge bank bridge mill wheel grain flour".split(" ")
      const mixed = (n: number) => (Math.imul(n + 1, 0x9e3779b1) >>> 8) % 10
      const textOf = (n: number) =>
        Array.from({ length: 10 + 4 * mixed(n) }, (_, at) => words[mixed(41 * n + 7 * at) * mixed(at + n) % 10]).join(
          " "
        )
      const items = (prefix: string, from: number, to: number) =>
        Array.from({ length: to - from }, (_, at) => ({ external_id: `${prefix}-${at}`, text: textOf(from + at) }))
      yield* push(workspace, connector_id, items("old", 0, 60))
      for (const group_by of ["document", "chunk"] as const) {
        const paged: Array<string> = []
        let cursor: string | null = null
        for (let added = 0; added === 0 || cursor !== null; added += 3) {
          const page: SearchAnswer = yield* (yield* Search).search(id, {
            q: "river flood",
            group_by,
            limit: 3,
            cursor
          })
          cursor = page.next_cursor
          paged.push(...page.results.map(({ external_id }) => external_id))
          if (added < 30) yield* push(workspace, connector_id, items(`${group_by}-${added}`, 100 + added, 103 + added))
          if (added === 15) yield* settle(10)
        }
        assert.deepStrictEqual(paged.filter((name, at) => paged.indexOf(name) !== at), [])
        const old = paged.filter((name) => name.startsWith("old"))
        assert.strictEqual(old.length, 60)
      }
    }))

  it.effect("pages through every result, even if those of each page are deleted before the next one is read", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const items = Array.from(
        { length: 40 },
        (_, n) => ({ external_id: `doc-${n}`, text: `shared ${"pad ".repeat(n)}` })
      )
      yield* push(workspace, connector_id, items)
      yield* settle(10)
      let cursor: string | null = null
      do {
        const page: SearchAnswer = yield* (yield* Search).search(id, { q: "shared", limit: 10, cursor })
        cursor = page.next_cursor
        yield* (yield* Documents).deleteMany(id, connector_id, page.results.map((result) => result.external_id))
        yield* settle(10)
      } while (cursor !== null)
      assert.deepStrictEqual(yield* found(id, "shared"), [])
    }))

  it.effect("filters by source and metadata, and warns about a source that matches nothing", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      yield* push(workspace, connector_id, [
        { external_id: "a", text: "zebra", metadata: { team: "blue" } },
        { external_id: "b", text: "zebra", metadata: { team: "red", __proto__: "x" } }
      ])
      assert.deepStrictEqual(yield* found(id, "zebra", { metadata: { team: "blue" } }), ["a"])
      assert.deepStrictEqual((yield* found(id, "zebra", { sources: ["custom:notes"] })).length, 2)
      const answer = yield* (yield* Search).search(id, { q: "zebra", sources: ["custom:nowhere", "custom"] })
      assert.strictEqual(answer.count, 2)
      assert.deepStrictEqual(answer.warnings, [`sources: nothing in this workspace matches "custom:nowhere"`])
    }))

  it.effect("finds what lasts from the time that is searched into the range of the context, by both filters", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const start = { type: "date", date: "2026-03-10" } as const
      const settings = { temporal_settings: { start, end: null } }
      yield* (yield* KnowledgeContext).configure(workspace, settings, OPERATOR)
      yield* settle(10)
      const meeting = (external_id: string, start: string, end: string) => ({
        external_id,
        timestamp: new Date(start),
        payload: { kind: "calendar", title: "Zembla", start, end }
      })
      yield* (yield* Ingest).typed(workspace, connector_id, [
        meeting("into", "2026-03-07T09:00:00Z", "2026-03-12T09:00:00Z"),
        meeting("before", "2026-03-07T09:00:00Z", "2026-03-08T09:00:00Z"),
        meeting("later", "2026-03-11T09:00:00Z", "2026-03-12T09:00:00Z")
      ])
      const [from, to] = [new Date("2026-03-01T00:00:00Z"), new Date("2026-03-08T00:00:00Z")]
      assert.deepStrictEqual(yield* found(id, "Zembla", { from, to, in_context: true }), ["into"])
      assert.deepStrictEqual(yield* found(id, "Zembla", { from, to, in_context: false }), ["before"])
      assert.deepStrictEqual(yield* found(id, "Zembla", { from: to, to: from }), [])
      const ask = (yield* Asks).ask(id, { query: "Zembla", from, to })
      const { citations, related = [] } = yield* ask
      assert.deepStrictEqual([...citations, ...related].map(({ entity }) => entity.external_id), ["into"])
    }))

  it.effect("asks selected sources, and warns about one that matches nothing in the context, now and later", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const asks = yield* Asks
      const long = yield* daysFromNow(-3_000)
      yield* push(workspace, connector_id, [{ external_id: "a", text: "The capital of Zembla is Onhava." }])
      yield* (yield* Ingest).typed(workspace, connector_id, [
        { external_id: "m", timestamp: long, payload: { kind: "email", body: "The capital of Zembla is Yeslove." } }
      ])
      yield* settle(10)
      const query = "What is the capital of Zembla?"
      const warning = (source: string) => `sources: nothing in the knowledge context matches "${source}"`
      const warningsOf = (sources: ReadonlyArray<string>) =>
        Effect.map(asks.ask(id, { query, sources }), ({ answered, warnings }) => [answered, warnings])
      assert.deepStrictEqual(yield* warningsOf([]), [true, ["sources: an empty list filters nothing"]])
      assert.deepStrictEqual(yield* warningsOf(["custom:notes"]), [true, undefined])
      assert.deepStrictEqual(yield* warningsOf(["custom:nowhere", "custom"]), [true, [warning("custom:nowhere")]])
      assert.deepStrictEqual(yield* warningsOf(["nowhere"]), [false, [warning("nowhere")]])
      const reversed = { query, sources: ["nowhere", "custom:notes"], from: new Date(1), to: new Date(0) }
      assert.deepStrictEqual(
        (yield* asks.ask(id, reversed)).warnings,
        ["from, to: nothing matches, because from is not before to", warning("nowhere")]
      )
      const outside =
        "range: the documents that match best lie outside of the knowledge context's range, which ask does not read"
      assert.deepStrictEqual(yield* warningsOf(["email"]), [false, [warning("email"), outside]])
      const better = yield* asks.ask(id, { query: "What is the capital of Zembla, Yeslove?" })
      assert.deepStrictEqual(better.warnings, [outside])
      const { job_id } = yield* asks.askLater(id, { query, sources: ["nowhere"] })
      yield* settle(10)
      const { result } = yield* asks.job(id, job_id, Duration.zero)
      assert.deepStrictEqual([result!.answered, result!.warnings], [false, [warning("nowhere")]])
    }))

  const damages: ReadonlyArray<readonly [string, (bytes: Uint8Array) => Uint8Array]> = [
    ["is no segment any more", () => new Uint8Array([1, 2, 3])],
    ["is of an older format", (bytes) => bytes.with(4, bytes[4]! - 1)],
    [
      "is damaged where opening it does not look",
      (bytes) => bytes.map((byte, at) => at === bytes.length - 1 ? byte ^ 1 : byte)
    ]
  ]
  for (const [what, damage] of damages) {
    it.effect(`rebuilds by itself when a stored segment ${what}, and answers correctly meanwhile`, () =>
      Effect.gen(function*() {
        const { connector_id, id, workspace } = yield* freshConnector
        const store = yield* KnowledgeStore
        yield* push(workspace, connector_id, [{ external_id: "a", text: "zebra" }])
        yield* settle(10)
        const { segment_id } = (yield* store.head(id)).snapshot!.segments[0]!
        const stored = Option.getOrThrow(yield* store.getSegment(id, segment_id))
        yield* store.putSegment(id, segment_id, damage(stored))
        // Another process over the same store holds nothing in memory.
        const stranger = Layer.fresh(Tributary.layer).pipe(
          Layer.provide(ExtractiveAnswerer.layer),
          Layer.provide(extractor),
          Layer.provide(Layer.succeedContext(yield* Effect.context<Layer.Success<typeof Memory.layer>>()))
        )
        assert.deepStrictEqual(yield* Effect.provide(found(id, "zebra"), stranger), ["a"])
        assert.strictEqual((yield* store.head(id)).generation, 1)
        yield* settle(10)
        assert.isTrue((yield* (yield* KnowledgeContext).status(id)).up_to_date)
      }))
  }

  it.effect("answers an asynchronous question while a client waits for it", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const asks = yield* Asks
      yield* push(workspace, connector_id, [{ external_id: "a", text: "The capital of Zembla is Onhava." }])
      const { job_id } = yield* asks.askLater(id, { query: "What is the capital of Zembla?" })
      yield* settle(10)
      const job = yield* asks.job(id, job_id, Duration.zero)
      assert.strictEqual(job.status, "succeeded")
      assert.isTrue(job.result!.answered)
      const page = yield* asks.jobs(id, null, { limit: 10, cursor: null })
      assert.deepStrictEqual(page.items.map((item) => [item.job_id, "result" in item]), [[job_id, false]])
    }))

  it.effect("has the latest document in the range as its watermark", () =>
    Effect.gen(function*() {
      const { connector_id, id, workspace } = yield* freshConnector
      const context = yield* KnowledgeContext
      const now = yield* Clock.currentTimeMillis
      const [within, beyond] = [5, 400].map((days) => new Date(now + days * 86_400_000))
      yield* push(workspace, connector_id, [
        { external_id: "within", text: "The meeting is in room 4.", timestamp: within! },
        { external_id: "beyond", text: "The jubilee is in the great hall.", timestamp: beyond! }
      ])
      yield* settle(10)
      assert.deepStrictEqual((yield* context.status(id)).evidence_watermark, within)
      const open = { start: null, end: null }
      yield* context.configure(workspace, { temporal_settings: open }, OPERATOR)
      yield* settle(10)
      assert.deepStrictEqual((yield* context.status(id)).evidence_watermark, beyond)
    }))
})
