/** Syncs from a source that changes, breaks and lies, with a test clock. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Documents } from "../../src/documents/Documents.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { FatalFailure, RetryableFailure, SourceGone } from "../../src/ports/Provider.ts"
import { Search } from "../../src/search/Search.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { connected, documentsOf, leap, node, settle, withSource } from "../support/connecting.ts"
import { fill, PASSWORD, tinySource } from "../support/tinySource.ts"

describe("a sync", () => {
  it.effect(
    "ingests the documents of a new connection, and exactly the difference after the interval",
    withSource(25, function*(source) {
      const { state, workspaceId } = yield* connected()
      yield* settle()
      const first = yield* state()
      assert.deepInclude(first, { status: "completed", items_ingested: 25, total_windows: 3, completed_windows: 3 })
      assert.deepInclude(first, { items_deleted: 0, documents: 25, deletions_held: 0, attempt: 0, error: null })
      const { results } = yield* (yield* Search).search(workspaceId, { q: "badgers", sources: ["tiny"], limit: 100 })
      assert.strictEqual(results.length, 25)
      const notes = source.resources.get("notes")!
      notes.set("00003", "It changed to weasels.")
      notes.delete("00004")
      notes.set("new", "A new one.")
      notes.set("newer", "A newer one.")
      yield* leap("70 minutes")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", items_ingested: 3, items_deleted: 1, documents: 26 })
      assert.strictEqual(yield* documentsOf(workspaceId), 26)
      const events = yield* (yield* Documents).events(workspaceId, { source: null, kind: null }, {
        limit: 100,
        cursor: null
      })
      assert.deepStrictEqual(events.items.slice(25).map(({ external_id, type }) => [external_id, type]), [
        ["notes/00003", "document.updated"],
        ["notes/new", "document.created"],
        ["notes/newer", "document.created"],
        ["notes/00004", "document.deleted"]
      ])
    })
  )

  it.effect(
    "is due when the clock is set back, and then at its interval again",
    withSource(25, function*() {
      const { state, syncs } = yield* connected()
      yield* settle()
      assert.strictEqual((yield* state()).status, "completed")
      yield* syncs.startDue
      yield* TestClock.adjust("-30 seconds")
      yield* syncs.startDue
      assert.strictEqual((yield* state()).status, "completed")
      yield* TestClock.adjust("-1 day")
      yield* syncs.startDue
      assert.strictEqual((yield* state()).status, "pending")
    })
  )

  it.effect(
    "respects the plan's caps, lists rejected items, and ingests them on request once there is room",
    withSource(25, function*(source) {
      const { state, sync, workspaceId } = yield* connected({ documents: 20 })
      yield* settle()
      const full = yield* state()
      assert.deepInclude(full, { status: "completed", items_ingested: 20 })
      assert.deepStrictEqual(
        full.rejected.map(({ external_id, resource }) => [external_id, resource]),
        Array.from({ length: 5 }, (_, index) => [`notes/0002${index}`, "documents"])
      )
      source.resources.get("notes")!.delete("00000")
      yield* sync
      assert.deepInclude(yield* sync, { items_ingested: 1 })
      assert.strictEqual(yield* documentsOf(workspaceId), 20)
    })
  )

  it.effect(
    "keeps listing rejected items, and ingests them by itself once the plan is raised",
    withSource(25, function*(source) {
      source.remembers = true
      const { state, workspaceId } = yield* connected({ documents: 20 })
      yield* settle()
      const missing = Array.from({ length: 5 }, (_, index) => `notes/0002${index}`)
      const namedOnes = Effect.map(state(), ({ rejected }) => rejected.map(({ external_id }) => external_id))
      assert.deepStrictEqual(yield* namedOnes, missing)
      yield* leap("70 minutes")
      yield* settle()
      assert.deepStrictEqual(yield* namedOnes, missing)
      // A sync that has nothing to look for begins where the last one ended.
      assert.strictEqual(source.began.at(-1)!.cursor, "end")
      source.resources.get("notes")!.delete("00024")
      yield* leap("70 minutes")
      yield* settle()
      assert.deepStrictEqual(yield* namedOnes, missing.slice(0, 4))
      source.endsEarly = true
      source.gone.push("00023")
      source.resources.get("notes")!.delete("00023")
      yield* leap("70 minutes")
      yield* settle()
      assert.deepStrictEqual(yield* namedOnes, missing.slice(0, 3))
      yield* (yield* Workspaces).update(workspaceId, { limits: { documents: 100 } })
      yield* leap("70 minutes")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", items_ingested: 3, rejected: [] })
      assert.strictEqual(yield* documentsOf(workspaceId), 23)
    })
  )

  it.effect(
    "sets the connection to error with a message if the credentials are refused, and stops",
    withSource(3, function*(source) {
      const { connections, id, state, sync, workspace, workspaceId } = yield* connected()
      yield* settle()
      source.password = "another one altogether"
      assert.deepInclude(yield* sync, { status: "failed", error: "The server refused the password." })
      const broken = yield* connections.find(workspaceId, id)
      assert.deepInclude(broken, { status: "error", error: "The server refused the password." })
      const tried = source.syncs
      yield* leap("3 hours")
      yield* settle()
      assert.strictEqual(source.syncs, tried)
      const config = { host: "notes.example", password: source.password }
      assert.deepInclude(yield* connections.update(workspace, id, { config }, OPERATOR), {
        status: "active",
        error: null
      })
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", attempt: 0 })
    })
  )

  it.effect(
    "makes the connection active again when the source accepts its credentials",
    withSource(3, function*(source) {
      const { connections, id, sync, workspaceId } = yield* connected()
      yield* settle()
      source.password = "another one altogether"
      assert.deepInclude(yield* sync, { status: "failed" })
      source.password = PASSWORD
      assert.deepInclude(yield* sync, { status: "completed" })
      assert.deepInclude(yield* connections.find(workspaceId, id), { status: "active", error: null })
    })
  )

  it.effect(
    "respects the Retry-After of the source",
    withSource(20, function*(source) {
      const busy = new RetryableFailure({ message: "Too many requests.", retry_after_seconds: 1_800 })
      source.faults.set("00012", Effect.fail(busy))
      const { state } = yield* connected()
      yield* settle()
      assert.deepInclude(yield* state(), { status: "failed", error: "Too many requests.", attempt: 1 })
      source.faults.clear()
      yield* leap("29 minutes")
      yield* settle(5)
      assert.strictEqual(source.syncs, 1)
      yield* TestClock.adjust("5 minutes")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", attempt: 0 })
      assert.deepStrictEqual(source.began.map(({ cursor }) => cursor), [null, "10"])
    })
  )

  it.effect(
    "waits longer after each failure, and reports the error",
    withSource(1, function*(source) {
      const at: Array<number> = []
      source.faults.set(
        "00000",
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          at.push(now)
          return Effect.fail(new RetryableFailure({ message: "The server does not answer." }))
        })
      )
      const { state } = yield* connected()
      yield* settle(600)
      assert.deepInclude(yield* state(), { status: "failed", error: "The server does not answer." })
      const delays = at.slice(1).map((moment, index) => moment - at[index]!)
      assert.isAtLeast(delays.length, 3)
      assert.isTrue(delays.every((pause, index) => index === 0 || pause > delays[index - 1]! * 1.1), String(delays))
    })
  )

  it.effect(
    "stops after a permanent error, and continues with the other resources",
    withSource(5, function*(source) {
      fill(source, 3, "other")
      source.faults.set("00004", Effect.fail(new FatalFailure({ message: "This list is damaged." })))
      const { connections, id, state, workspaceId } = yield* connected()
      yield* settle()
      assert.deepInclude(yield* state(), { status: "failed", error: "This list is damaged." })
      assert.deepInclude(yield* state("other"), { status: "completed", items_ingested: 3 })
      assert.deepInclude(yield* connections.find(workspaceId, id), { status: "active" })
      yield* leap("2 hours")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "failed", attempt: 1 })
      assert.strictEqual(source.syncs, 3)
    })
  )

  it.effect(
    "retries a permanent error of a resource that has worked before",
    withSource(5, function*(source) {
      const { state } = yield* connected()
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed" })
      source.faults.set("00004", Effect.fail(new FatalFailure({ message: "What answers is no list." })))
      yield* leap("70 minutes")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "failed", error: "What answers is no list." })
      source.faults.clear()
      yield* leap("70 minutes")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", attempt: 0, error: null })
    })
  )

  it.effect(
    "keeps stored documents if a resource is gone, and reports it",
    withSource(3, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      source.faults.set("00000", Effect.fail(new SourceGone({ message: "The list is there no more." })))
      assert.deepInclude(yield* sync, { status: "failed", error: "The list is there no more." })
      assert.strictEqual(yield* documentsOf(workspaceId), 3)
    })
  )

  it.effect.each(["Upsert", "Delete"] as const)(
    "fails if its source names a document outside of the resource: %s",
    (_tag) =>
      withSource(3, function*(source) {
        const { sync, workspaceId } = yield* connected()
        yield* sync
        const external_id = "other/00000"
        const item = { external_id, timestamp: new Date(0), payload: { kind: "page", content: "Elsewhere." } }
        source.provider.sync = () => Stream.make(_tag === "Upsert" ? { _tag, item } : { _tag, external_id })
        assert.deepInclude(yield* sync, {
          status: "failed",
          error: "The provider named a document outside of the resource that it pulled."
        })
        assert.strictEqual(yield* documentsOf(workspaceId), 3)
      })()
  )

  it.effect("stores files whenever some megabytes of them are read, so that they are never all in memory", () =>
    Effect.gen(function*() {
      const source = tinySource()
      const stored: Array<number> = []
      const counting = Layer.effect(
        DocumentStore,
        Effect.map(DocumentStore, (store) =>
          DocumentStore.of({
            ...store,
            admit: (...of) => Effect.suspend(() => (stored.push(of[2].length), store.admit(...of)))
          }))
      ).pipe(Layer.provideMerge(Layer.fresh(Memory.layer)))
      source.provider.sync = () =>
        Stream.fromIterable(["a", "b", "c", "d"].map((name) => {
          const file = { bytes: new Uint8Array(3_000_000), name, contentType: "text/plain" }
          return { _tag: "Upsert", item: { external_id: `notes/${name}`, timestamp: new Date(0), file } } as const
        }))
      yield* Effect.gen(function*() {
        const { state } = yield* connected()
        yield* settle()
        assert.deepInclude(yield* state(), { status: "completed", items_ingested: 4 })
        assert.deepStrictEqual(stored, [3, 1])
      }).pipe(Effect.provide(Layer.provideMerge(node(source), counting)))
    }))

  it.effect(
    "survives a bug in a provider",
    withSource(3, function*(source) {
      source.faults.set("00000", Effect.die("a bug"))
      const { state } = yield* connected()
      yield* settle()
      assert.strictEqual((yield* state()).status, "failed")
      assert.notInclude((yield* state()).error!, "a bug")
      source.faults.clear()
      yield* settle(60)
      assert.strictEqual((yield* state()).status, "completed")
    })
  )
})

describe("the reach", () => {
  it.effect(
    "starts over if it is extended, and keeps documents if it is shortened",
    withSource(3, function*(source) {
      const { connections, id, state, workspace, workspaceId } = yield* connected({}, {
        sync_config: { start: { type: "relative", days: 90 } }
      })
      yield* settle()
      assert.deepStrictEqual(source.began, [{ cursor: null, since: new Date("1969-10-03T00:00:00.000Z") }])
      yield* connections.update(workspace, id, { sync_config: { start: { type: "relative", days: 10 } } }, OPERATOR)
      source.resources.get("notes")!.clear()
      yield* leap("70 minutes")
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", items_deleted: 0, deletions_held: 0 })
      assert.strictEqual(source.began.at(-1)!.cursor, "end")
      assert.strictEqual(yield* documentsOf(workspaceId), 3)
      yield* connections.update(workspace, id, { sync_config: { start: null, interval_minutes: null } }, OPERATOR)
      yield* settle()
      assert.deepStrictEqual(source.began.at(-1), { cursor: null, since: null })
    })
  )
})

it.effect(
  "an erased workspace is not synced any more",
  withSource(3, function*(source) {
    source.faults.set("00001", Effect.never)
    const { workspaceId } = yield* connected()
    yield* settle()
    assert.strictEqual(source.running, 1)
    yield* (yield* Workspaces).erase(workspaceId)
    yield* settle(4)
    assert.strictEqual(source.running, 0)
    yield* leap("3 hours")
    yield* settle()
    assert.strictEqual(source.syncs, 1)
  })
)
