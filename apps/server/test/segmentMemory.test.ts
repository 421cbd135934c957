/** The bytes of segments that a process keeps, measured after garbage collection. */
import { assert, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import { OPERATOR } from "@tributary/core/model/Principal"
import { IndexBuilder } from "@tributary/core/ports/IndexBuilder"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Search } from "@tributary/core/Search"
import { SegmentBudget } from "@tributary/core/ports/SegmentCache"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Context, Effect, Layer, Option, type Scope } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { foldedContext } from "./foldedContext.ts"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Garbage is collected at every n-th segment read, because it takes long. */
const LOOKS = 5

type Ports = Layer.Success<typeof Memory.layer>

/** Tracks every array with a segment; the store itself uses copies. */
const following = (isWatched: boolean) => {
  let followed: Array<WeakRef<Uint8Array>> = []
  let most = 0
  let reads = 0
  const follow = (bytes: Uint8Array): Uint8Array => {
    followed.push(new WeakRef(bytes))
    return bytes
  }
  const held = Effect.promise(async () => {
    // Segments that a job has read stay in memory until it ends.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    followed = followed.filter((one) => one.deref() !== undefined)
    const bytes = followed.reduce((sum, one) => sum + (one.deref()?.length ?? 0), 0)
    most = Math.max(most, bytes)
    return bytes
  })
  const storeOf = (store: KnowledgeStore["Service"]) =>
    KnowledgeStore.of({
      ...store,
      putSegment: (workspaceId, segmentId, bytes) => store.putSegment(workspaceId, segmentId, bytes.slice()),
      getSegment: (workspaceId, segmentId) =>
        store.getSegment(workspaceId, segmentId).pipe(
          Effect.map(Option.map((bytes) => follow(bytes.slice()))),
          Effect.tap(() => ++reads % LOOKS === 0 ? held : Effect.void)
        )
    })
  const builder = Layer.effect(
    IndexBuilder,
    Effect.map(IndexBuilder, ({ build, draft, merge }) =>
      IndexBuilder.of({
        build: (documents) => Effect.map(build(documents), follow),
        merge: (parts) => Effect.tap(Effect.map(merge(parts), follow), isWatched ? held : Effect.void),
        draft: Effect.map(draft, ({ add, finish }) => ({ add, finish: Effect.map(finish, follow) }))
      }))
  )
  /** The maximum since the last call, sampled while segments are read, and at merges. */
  const mostHeld = Effect.map(held, () => {
    const before = most
    most = 0
    return before
  })
  return { held, mostHeld, storeOf, builder }
}

const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content })
})

/** A process on the shared store. */
const processWith = Effect.fnUntraced(function*(budget: number, isWatched = true) {
  const ports = yield* Effect.context<Ports>()
  const { builder, held, mostHeld, storeOf } = following(isWatched)
  const context = yield* Layer.build(
    Layer.fresh(Tributary.layer).pipe(
      Layer.provide(ExtractiveAnswerer.layer),
      Layer.provide(Layer.mergeAll(builder, extractor, Layer.succeed(SegmentBudget, budget))),
      Layer.provide(
        Layer.succeedContext(Context.add(ports, KnowledgeStore, storeOf(Context.get(ports, KnowledgeStore))))
      )
    )
  )
  return { context, held, mostHeld }
})
type Process = Effect.Success<ReturnType<typeof processWith>>

const DAY = 86_400_000

const WORDS = ["budget", "launch", "plan", "meeting", "release", "invoice", "office", "ticket", "server", "review"]

const textOf = (number: number): string =>
  Array.from({ length: 30 }, (_, at) => `${WORDS[(number * 7 + at * at) % WORDS.length]} ${number * 31 + at}`).join(" ")

/** Each becomes a segment: at most three of a size, because four are merged, in the order of time. */
const BATCHES = [68, 67, 66, 62, 61, 60, 5, 5]

/**
 * The number of segments that a process may hold beyond its budget: the one that it reads or builds, the previous one,
 * and one that compiled code still references.
 */
const SPARE = 3

const fill = Effect.fnUntraced(function*({ context }: Process) {
  const { personal_workspace } = yield* Context.get(context, Workspaces).createAccount({ name: "Ada", tier: "pro" })
  const id = personal_workspace.workspace_id
  const { connector_id } = yield* Context.get(context, Connectors).create(
    personal_workspace,
    { name: "Notes", source_name: "notes" },
    OPERATOR
  )
  const now = yield* Clock.currentTimeMillis
  const push = Effect.fnUntraced(function*(name: string, count: number, days: number) {
    const timestamp = new Date(now - days * DAY)
    const items = Array.from({ length: count }, (_, number) => ({
      external_id: `${name}-${number}`,
      text: textOf(number * 100 + days),
      timestamp
    }))
    yield* Context.get(context, Ingest).text(personal_workspace, connector_id, items)
    yield* foldedContext(id)
  })
  for (const [at, count] of BATCHES.entries()) yield* push(`batch${at}`, count, 10 * (BATCHES.length - at))
  return { workspace: personal_workspace, id, push }
})

const sizesOf = Effect.fnUntraced(function*(id: WorkspaceId) {
  const { snapshot } = yield* (yield* KnowledgeStore).head(id)
  const sizes = (snapshot?.segments ?? []).map(({ bytes }) => bytes)
  return { all: sizes.reduce((sum, bytes) => sum + bytes, 0), largest: Math.max(...sizes), count: sizes.length }
})

const searchIn = ({ context }: Process, id: WorkspaceId) =>
  Effect.map(Context.get(context, Search).search(id, { q: "budget review", limit: 50 }), ({ count }) => count)

const askIn = ({ context }: Process, id: WorkspaceId) =>
  Context.get(context, Asks).ask(id, { query: "When is the budget review?" })

const configure = ({ context }: Process, workspace: WorkspaceRecord, days: number) =>
  Effect.andThen(
    Context.get(context, KnowledgeContext).configure(workspace, {
      temporal_settings: { start: { type: "relative", days }, end: null }
    }, OPERATOR),
    foldedContext(workspace.workspace_id)
  )

const run = <A, E>(test: Effect.Effect<A, E, Ports | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), Memory.layer, { local: true })

it.effect("loaded segments exceed the budget only by those that are in use", () =>
  run(
    Effect.gen(function*() {
      const { id } = yield* Effect.scoped(Effect.flatMap(processWith(Infinity, false), fill))
      const { all, count, largest } = yield* sizesOf(id)
      assert.isAtLeast(count, 6)
      for (const budget of [0, all / 4]) {
        assert.isBelow(budget + SPARE * largest, all)
        const small = yield* processWith(budget)
        for (const use of [searchIn, askIn, searchIn]) {
          yield* use(small, id)
          assert.isAtMost(yield* small.mostHeld, budget + SPARE * largest)
        }
        assert.isAtMost(yield* small.held, budget)
      }
    })
  ))

it.effect("refresh and rebuild exceed the budget only by a merge and its result", () =>
  run(
    Effect.gen(function*() {
      const budget = 30_000
      const small = yield* processWith(budget)
      const { workspace, id, push } = yield* fill(small)
      const work = [
        push("batch0", 10, 80),
        push("more", 5, 1),
        push("even more", 5, 1),
        configure(small, workspace, 45)
      ]
      for (const one of work) {
        const before = yield* sizesOf(id)
        yield* small.mostHeld
        yield* one
        const after = yield* sizesOf(id)
        assert.isAbove(after.all, 3 * budget)
        assert.isAtMost(yield* small.mostHeld, budget + SPARE * Math.max(before.largest, after.largest))
        assert.isAtMost(yield* small.held, budget)
        assert.strictEqual(yield* searchIn(small, id), 50)
      }
    })
  ))

it.effect("a narrower range uses less", () =>
  run(
    Effect.gen(function*() {
      const { workspace, id } = yield* Effect.scoped(Effect.flatMap(processWith(Infinity, false), fill))
      const heldFor = Effect.fnUntraced(function*(days: number) {
        yield* Effect.scoped(
          Effect.flatMap(processWith(Infinity, false), (process) => configure(process, workspace, days))
        )
        const process = yield* processWith(Infinity)
        yield* askIn(process, id)
        return yield* process.held
      })
      const wide = yield* heldFor(500)
      const narrow = yield* heldFor(35)
      assert.isAbove(narrow, 0)
      assert.isBelow(3 * narrow, wide)
    })
  ))
