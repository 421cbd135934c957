import { assert, it } from "@effect/vitest"
import { indexBuilderContract } from "@tributary/contract/PartsContract"
import { segmentDocuments } from "@tributary/contract/segmentDocuments"
import { IndexBuilder, type SegmentBuilding } from "@tributary/core/ports/IndexBuilder"
import { Cause, Context, Effect, Exit, Fiber, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { getPriority } from "node:os"
import { extent } from "../../../.ci/extent.ts"
import * as IndexThreads from "../src/IndexThreads.ts"

const builders = Effect.all({
  here: Effect.service(IndexBuilder),
  there: Effect.map(Layer.build(IndexThreads.layer), (context) => Context.get(context, IndexBuilder))
})

indexBuilderContract(
  "in threads",
  Effect.map(builders, ({ there }) => there),
  extent([1, 1_000], [1, 1_000, 10_000])
)

it.live("segments built in threads leave this one free, and an interrupted build ends at once", () =>
  Effect.gen(function*() {
    const { there } = yield* builders
    // Not as much as would be built by the thread that gives way, and waits for a free processor.
    const large = segmentDocuments(6_000)
    let turns = 0
    const count = setInterval(() => turns++, 1)
    yield* there.build(large)
    clearInterval(count)
    assert.isAbove(turns, 5)
    const building = yield* Effect.forkChild(there.build(large), { startImmediately: true })
    yield* Fiber.interrupt(building)
    assert.isAbove((yield* there.build(large)).length, 0)
  }).pipe(Effect.scoped))

const LARGE = segmentDocuments(2_000)

/** In two steps, so that others may come in between. */
const drafted = ({ draft }: SegmentBuilding, all: ReturnType<typeof segmentDocuments>) =>
  Effect.scoped(Effect.gen(function*() {
    const { add, finish } = yield* draft
    yield* add(all.slice(0, 10))
    yield* Effect.yieldNow
    yield* add(all.slice(10))
    return yield* finish
  }))

it.live("what a search waits for is built while a rebuild is under way, however large it is", () =>
  Effect.scoped(Effect.gen(function*() {
    const { there } = yield* builders
    const { add } = yield* there.draft
    yield* add(segmentDocuments(5))
    const [document] = segmentDocuments(1)
    for (const chunks of [300, 10_000]) {
      const large = { ...document!, chunks: Array.from({ length: chunks }, (_, at) => `${at} `.repeat(100)) }
      assert.isAbove((yield* there.build([large])).length, 0)
    }
  })))

it.live("concurrent drafts contain exactly their own documents, without discarded ones", () =>
  Effect.gen(function*() {
    const { here, there } = yield* builders
    const givenUp = Effect.scoped(Effect.gen(function*() {
      const { add } = yield* there.draft
      yield* add(segmentDocuments(5))
      return yield* Effect.interrupt
    }))
    const unfinished = Effect.scoped(Effect.flatMap(there.draft, ({ add }) => add(segmentDocuments(5))))
    const [, , all, few] = yield* Effect.all(
      [Effect.exit(givenUp), unfinished, drafted(there, LARGE), drafted(there, segmentDocuments(20))],
      { concurrency: "unbounded" }
    )
    assert.isTrue(Buffer.compare(all, yield* here.build(LARGE)) === 0)
    assert.isTrue(Buffer.compare(few, yield* here.build(segmentDocuments(20))) === 0)
  }).pipe(Effect.scoped))

it.live("a waiting draft can be cancelled", () =>
  Effect.gen(function*() {
    const { there } = yield* builders
    const { add, finish } = yield* there.draft
    const waiting = yield* Effect.forkChild(drafted(there, segmentDocuments(20)), { startImmediately: true })
    yield* Fiber.interrupt(waiting)
    yield* add(segmentDocuments(1))
    assert.isAbove((yield* finish).length, 0)
  }).pipe(Effect.scoped))

it.live("a draft that is too large is a defect, and does not delay the next one", () =>
  Effect.gen(function*() {
    const { there } = yield* builders
    const tooMany = segmentDocuments(1).map((document) => ({
      ...document,
      chunks: Array.from({ length: 70_000 }, () => "")
    }))
    const exit = yield* Effect.exit(drafted(there, tooMany))
    assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    assert.isAbove((yield* drafted(there, segmentDocuments(20))).length, 0)
  }).pipe(Effect.scoped))

/** The niceness of the threads that give way to the others of this process, which may be nice itself. */
const humbleThreads = () =>
  readdirSync("/proc/self/task").map((thread) => {
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
    return Number(fields[16])
  }).filter((niceness) => niceness > getPriority())

it.live.skipIf(process.platform !== "linux")(
  "a build that nobody waits for gives way, and no other thread does",
  () =>
    Effect.gen(function*() {
      const { there } = yield* builders
      yield* there.build(segmentDocuments(1_000))
      assert.deepStrictEqual(humbleThreads(), [])
      // Looked at before the draft is given up, which ends its thread.
      const { add } = yield* there.draft
      yield* add(segmentDocuments(1))
      // Not 19, at which it would hardly ever run beside other work.
      assert.deepStrictEqual(humbleThreads(), [10])
    }).pipe(Effect.scoped)
)

it.live("a build that fails in its thread is a defect here, and does not delay the next one", () =>
  Effect.gen(function*() {
    const { there } = yield* builders
    const exit = yield* Effect.exit(there.merge([{ bytes: new Uint8Array(200_000), hidden: [] }]))
    assert.strictEqual(exit._tag, "Failure")
    assert.isAbove((yield* there.build(segmentDocuments(1_000))).length, 0)
  }).pipe(Effect.scoped))
