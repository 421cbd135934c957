/** A process with less memory than the segments of its workspaces take. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Layer, Metric, Option, type Scope, Struct } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../../src/ask/Asks.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import type { ConnectorId, WorkspaceId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import type { SearchAnswer, SearchRequest } from "../../src/model/Search.ts"
import type { WorkspaceRecord } from "../../src/model/Workspace.ts"
import { Embedder } from "../../src/ports/Embedder.ts"
import { KnowledgeStore, type SnapshotSegment } from "../../src/ports/KnowledgeStore.ts"
import { SegmentBudget } from "../../src/ports/SegmentCache.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { gramModel } from "../support/gramModel.ts"
import { segmentReads } from "../support/segmentReads.ts"
import { ANSWERED, UNANSWERED } from "../support/questions.ts"
import { DOCUMENTS } from "../support/workspace.ts"
import { NOW, type Written } from "../support/written.ts"
import { extractor, settle } from "../support/wholeService.ts"

const store = Memory.layer
type Ports = Layer.Success<typeof store>

/** Documents in several pieces are not compared with each other. */
const RANKING = { ...Tributary.RANKING, parameters: { ...Tributary.RANKING.parameters, feedback: 0 } }

interface Options {
  readonly budget: number
  readonly embeds?: boolean
  /** A segment that its store has lost. */
  readonly lacks?: string
}

/** A process over the store that all share, which holds as much as it may. */
const process = Effect.fnUntraced(function*({ budget, embeds = false, lacks }: Options) {
  const ports = yield* Effect.context<Ports>()
  const reads = segmentReads(lacks)
  const context = yield* Layer.build(
    Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(extractor),
      Layer.provide(Layer.succeed(Embedder, embeds ? gramModel().model : null)),
      Layer.provide(Layer.succeed(SegmentBudget, budget)),
      Layer.provide(Layer.succeed(Tributary.Ranking, RANKING)),
      Layer.provide(
        Layer.succeedContext(Context.add(ports, KnowledgeStore, reads.storeOf(Context.get(ports, KnowledgeStore))))
      )
    )
  )
  const search = (id: WorkspaceId, request: SearchRequest) => Context.get(context, Search).search(id, request)
  const ask = (id: WorkspaceId, query: string) =>
    // The warning about better matches outside of the range appears only if those are loaded.
    Effect.map(
      Context.get(context, Asks).ask(id, { query, timezone: "Europe/Berlin" }),
      (answer) => Struct.omit(answer, ["warnings"])
    )
  const timeline = (id: WorkspaceId) =>
    Context.get(context, KnowledgeContext).timeline(id, { start: { type: "relative", days: 20 }, end: null })
  return { ...reads, context, search, ask, timeline }
})
type Process = Effect.Success<ReturnType<typeof process>>

interface Home {
  readonly workspace: WorkspaceRecord
  readonly id: WorkspaceId
  readonly source: ConnectorId
}

const home = Effect.fnUntraced(function*({ context }: Process) {
  const { personal_workspace } = yield* Context.get(context, Workspaces).createAccount({ name: "Orrery", tier: "pro" })
  const id = personal_workspace.workspace_id
  const { connector_id } = yield* Context.get(context, Connectors).create(
    personal_workspace,
    { name: "Everything", source_name: "everything" },
    OPERATOR
  )
  return { workspace: personal_workspace, id, source: connector_id } satisfies Home
})

const push = Effect.fnUntraced(
  function*({ context }: Process, { source, workspace }: Home, documents: ReadonlyArray<Written>) {
    yield* Context.get(context, Ingest).typed(workspace, source, documents)
    yield* settle(10)
  }
)

const segmentsOf = Effect.fnUntraced(function*(id: WorkspaceId) {
  const { snapshot } = yield* (yield* KnowledgeStore).head(id)
  return (snapshot?.segments ?? []).filter(({ vectors }) => vectors === undefined)
})

const showTenDays = Effect.fnUntraced(function*({ context }: Process, workspace: WorkspaceRecord) {
  yield* Context.get(context, KnowledgeContext).configure(workspace, {
    temporal_settings: { start: { type: "relative", days: 10 }, end: null }
  }, OPERATOR)
  yield* settle(10)
})

const sizeOf = (segments: ReadonlyArray<SnapshotSegment>): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

const BY_TIME = DOCUMENTS.toSorted((left, right) => left.timestamp.getTime() - right.timestamp.getTime())

/** The number of documents at a time, each a separate segment: too few of one size to be merged in the first minute. */
const SIZES = [12, 13, 11, 2, 3, 2]

/** The smaller ones are never merged with the larger ones. */
const SETTLED = [35, 7, 1]

const fill = Effect.fnUntraced(function*(process: Process, sizes = SIZES) {
  const made = yield* home(process)
  let at = 0
  for (const size of sizes) {
    yield* push(process, made, BY_TIME.slice(at, at + size))
    at += size
  }
  assert.strictEqual(at, DOCUMENTS.length)
  return made
})

const REQUESTS: ReadonlyArray<SearchRequest> = [
  { q: "budget" },
  { q: "launch of the mobile app", limit: 3 },
  { q: "\"of the mobile app\" launch" },
  { q: "the launch in Ber" },
  { q: "retrosp" },
  { q: "API-118 release", group_by: "chunk" },
  { q: "backup database", in_context: true, limit: 50 },
  { q: "backup database", in_context: false },
  { q: "office Berlin", sources: ["page", "custom:nothing"], limit: 100 },
  { q: "team", sources: ["message"], group_by: "chunk", limit: 100 },
  { q: "预算" },
  { q: "nothing of the kind xyzzy" }
]

const QUESTIONS = [...ANSWERED.slice(0, 12).map(([question]) => question), ...UNANSWERED.slice(0, 3)]

/** Enough small parts that the next refresh merges the existing ones. */
const MORE = DOCUMENTS.slice(0, 2).map((written) => ({ ...written, external_id: `more-${written.external_id}` }))

const run = <A, E>(test: Effect.Effect<A, E, Ports | Scope.Scope>) =>
  // Before anything ticks that would catch up with half a century.
  Effect.provide(Effect.andThen(TestClock.setTime(NOW.getTime()), Effect.scoped(test)), store, { local: true })

/** Says the same of the workspace as a process that holds all of it. */
const agrees = Effect.fnUntraced(function*(small: Process, roomy: Process, id: WorkspaceId) {
  for (const request of REQUESTS) {
    assert.deepStrictEqual(yield* small.search(id, request), yield* roomy.search(id, request), request.q)
  }
  for (const question of QUESTIONS) {
    assert.deepStrictEqual(yield* small.ask(id, question), yield* roomy.ask(id, question), question)
  }
  assert.deepStrictEqual(yield* small.timeline(id), yield* roomy.timeline(id))
})

describe("a workspace larger than the segment budget", () => {
  it.effect("is searched and asked piece by piece, with the same results as when fully loaded", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const { id } = yield* fill(roomy)
        const segments = yield* segmentsOf(id)
        assert.isAtLeast(segments.length, 4)
        for (const budget of [0, sizeOf(segments) / 2]) {
          const small = yield* process({ budget })
          yield* agrees(small, roomy, id)
          assert.isAbove(small.read.length, REQUESTS.length)
        }
      })
    ))

  it.effect("supports semantic search, too", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity, embeds: true })
        const { id } = yield* fill(roomy)
        for (const budget of [0, sizeOf(yield* segmentsOf(id)) / 2]) {
          const small = yield* process({ budget, embeds: true })
          for (const mode of ["semantic", "hybrid"] as const) {
            for (const q of ["launching mobiles", "bicyclists in the offices"]) {
              for (const group_by of ["document", "chunk"] as const) {
                const request: SearchRequest = { q, mode, group_by, limit: 20 }
                const found = yield* small.search(id, request)
                assert.isAbove(found.count, 5)
                assert.deepStrictEqual(found, yield* roomy.search(id, request))
              }
            }
          }
          yield* agrees(small, roomy, id)
        }
      })
    ))

  it.effect("is still refreshed, embedded and rebuilt", () =>
    run(
      Effect.gen(function*() {
        const small = yield* process({ budget: 2_500, embeds: true })
        const made = yield* fill(small)
        const { id, source } = made
        const compare = Effect.scoped(
          Effect.flatMap(process({ budget: Infinity, embeds: true }), (roomy) => agrees(small, roomy, id))
        )
        yield* compare
        const before = yield* segmentsOf(id)
        assert.isAbove(sizeOf(before), 4 * 2_500)

        const [first, second, ...others] = BY_TIME.map(({ external_id }) => external_id)
        yield* Context.get(small.context, Documents).deleteByExternalId(id, source, first!)
        const changed = BY_TIME.filter(({ external_id }) => external_id === second || external_id === others.at(-1))
        yield* push(
          small,
          made,
          changed.map((written) => ({ ...written, payload: { ...written.payload, title: "New" } }))
        )
        assert.notDeepEqual(yield* segmentsOf(id), before)
        yield* compare

        yield* showTenDays(small, made.workspace)
        const { snapshot } = yield* (yield* KnowledgeStore).head(id)
        assert.strictEqual(snapshot?.generation, 1)
        assert.isTrue(snapshot?.segments.every(({ vectors }) => vectors === undefined || vectors.missing === 0))
        yield* compare
      })
    ))

  it.effect("is read again if a segment disappears between two pieces", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const made = yield* fill(roomy)
        const small = yield* process({ budget: 0 })
        const before = yield* segmentsOf(made.id)
        let reads = 0
        small.state.before = Effect.suspend(() =>
          ++reads === 2
            ? Effect.orDie(Effect.provide(push(roomy, made, MORE), roomy.context))
            : Effect.void
        )
        const found = yield* small.search(made.id, { q: "launch budget" })
        assert.isAbove(reads, 2)
        const gone = new Set((yield* segmentsOf(made.id)).map(({ segment_id }) => segment_id))
        assert.isFalse(before.every(({ segment_id }) => gone.has(segment_id)))
        assert.deepStrictEqual(found, yield* roomy.search(made.id, { q: "launch budget" }))
      })
    ))
})

describe("a segment that the snapshot names and the store lacks", () => {
  it.effect("causes a rebuild, during which the documents are served", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const { id } = yield* fill(roomy)
        const found = yield* roomy.search(id, { q: "budget" })
        const store = yield* KnowledgeStore
        const { generation } = yield* store.head(id)
        const [oldest] = yield* segmentsOf(id)
        const stranger = yield* process({ budget: Infinity, lacks: oldest!.segment_id })
        const documents = ({ results }: SearchAnswer) => results.map(({ external_id }) => external_id)
        assert.deepStrictEqual(documents(yield* stranger.search(id, { q: "budget" })), documents(found))
        assert.strictEqual((yield* store.head(id)).generation, generation + 1)
        assert.deepStrictEqual(documents(yield* stranger.search(id, { q: "budget" })), documents(found))
        assert.deepStrictEqual(stranger.read.filter((segment) => segment === oldest!.segment_id).length, 1)
      })
    ))
})

describe("a damaged segment of a workspace larger than the budget", () => {
  it.effect("causes one rebuild, and until then fails only the queries that need it", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const { id, workspace } = yield* fill(roomy)
        yield* showTenDays(roomy, workspace)
        const question = "Who is the release manager this quarter?"
        const [found, answer] = [yield* roomy.search(id, { q: "budget" }), yield* roomy.ask(id, question)]

        const segments = yield* segmentsOf(id)
        const { generation } = yield* (yield* KnowledgeStore).head(id)
        const [oldest] = segments
        const intact = Option.getOrThrow(yield* (yield* KnowledgeStore).getSegment(id, oldest!.segment_id))
        const damaged = intact.map((byte, at) => at === intact.length - 1 ? byte ^ 1 : byte)
        yield* (yield* KnowledgeStore).putSegment(id, oldest!.segment_id, damaged)
        const small = yield* process({ budget: sizeOf(segments) - 1 })
        const failure = yield* Effect.replicateEffect(Effect.flip(small.search(id, { q: "budget" })), 3)
        assert.deepStrictEqual(failure.map(({ _tag }) => _tag), Array(3).fill("StorageUnavailable"))
        assert.deepStrictEqual(yield* small.ask(id, question), answer)
        assert.strictEqual((yield* (yield* KnowledgeStore).head(id)).generation, generation + 1)

        yield* settle(10)
        assert.deepStrictEqual(yield* small.search(id, { q: "budget" }), found)
        assert.strictEqual((yield* (yield* KnowledgeStore).head(id)).generation, generation + 1)
      })
    ))
})

/** The counts of this process so far. */
const lookups = Effect.map(Metric.snapshot, (metrics) => {
  const counted = { memory: 0, storage: 0 }
  for (const { attributes, id, state, type } of metrics) {
    if (type !== "Counter" || id !== "tributary_context_lookups_total") continue
    counted[attributes?.["from"] as keyof typeof counted] = Number(state.count)
  }
  return counted
})

describe("the segment budget", () => {
  it.effect("is shared by workspaces: the least recently used segments are evicted, and no more than necessary", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const one = yield* fill(roomy, SETTLED)
        const other = yield* fill(roomy, SETTLED)
        const segments = yield* segmentsOf(one.id)
        const small = yield* process({ budget: sizeOf(segments) * 1.5 })
        const search = (id: WorkspaceId) =>
          Effect.gen(function*() {
            small.read.length = 0
            assert.deepStrictEqual(yield* small.search(id, { q: "budget" }), yield* roomy.search(id, { q: "budget" }))
            return small.read.length
          })
        assert.strictEqual(yield* search(one.id), segments.length)
        assert.strictEqual(yield* search(one.id), 0)
        assert.strictEqual(yield* search(other.id), segments.length)
        const again = yield* search(one.id)
        assert.isAbove(again, 0)
        assert.isBelow(again, segments.length)
        assert.strictEqual(yield* search(one.id), 0)
      })
    ))

  it.effect("counts hits and misses, so that operators see when it is too small", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const one = yield* fill(roomy)
        const bytes = sizeOf(yield* segmentsOf(one.id))
        const searches = Effect.fnUntraced(function*(budget: number) {
          const server = yield* process({ budget })
          const before = yield* lookups
          for (let search = 0; search < 3; search++) yield* server.search(one.id, { q: "budget" })
          const after = yield* lookups
          return { memory: after.memory - before.memory, storage: after.storage - before.storage }
        })
        assert.deepStrictEqual(yield* searches(bytes), { memory: 2, storage: 1 })
        assert.deepStrictEqual(yield* searches(bytes / 2), { memory: 0, storage: 3 })
      })
    ))

  it.effect("keeps the segments of a question's range, and evicts the rest of the workspace", () =>
    run(
      Effect.gen(function*() {
        const roomy = yield* process({ budget: Infinity })
        const { id, workspace } = yield* fill(roomy)
        yield* showTenDays(roomy, workspace)
        const segments = yield* segmentsOf(id)
        const small = yield* process({ budget: sizeOf(segments) - 1 })
        yield* small.search(id, { q: "budget" })
        assert.strictEqual(small.read.length, segments.length + 1, "what does not fit is read for both passes")
        small.read.length = 0
        yield* small.ask(id, "Where is the budget review?")
        assert.isAtMost(small.read.length, 1)
        small.read.length = 0
        yield* small.ask(id, "Who is the release manager this quarter?")
        assert.strictEqual(small.read.length, 0)
      })
    ))
})
