/** Deletions at a source: applied, or held until somebody confirms them (`confirmedDeletions.test.ts`). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Stream } from "effect"
import { carryOutDeletions, decideDeletions, markMissing } from "../../src/sync/run/pulledDeletions.ts"
import { DigestSet } from "../../src/ingest/DigestSet.ts"
import { ConnectionId, JobId, WorkspaceId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { connected, documentsOf, settle, withSource } from "../support/connecting.ts"
import { fill } from "../support/tinySource.ts"

const FENCING_TOKEN = { job_id: JobId.make(crypto.randomUUID()), lease: "held" }

describe("deletions", () => {
  it.effect(
    "of many documents of a source are held until they are confirmed",
    withSource(100, function*(source) {
      const { id, state, sync, syncs, workspaceId } = yield* connected()
      yield* settle()
      const notes = source.resources.get("notes")!
      for (const name of [...notes.keys()].slice(0, 21)) notes.delete(name)
      assert.deepInclude(yield* sync, { status: "completed", items_deleted: 0, documents: 100, deletions_held: 21 })
      assert.deepStrictEqual(yield* syncs.heldDeletions(workspaceId), [{ connection_id: id, deletions_held: 21 }])
      assert.strictEqual(yield* documentsOf(workspaceId), 100)
      // Documents that were unavailable for a while are not deleted with the rest.
      notes.set("00000", "It is back.")
      assert.deepInclude(yield* sync, { deletions_held: 20 })
      assert.deepInclude(
        yield* syncs.confirmDeletions(workspaceId, id, "notes"),
        { items_deleted: 20, documents: 80, deletions_held: 0 }
      )
      assert.strictEqual(yield* documentsOf(workspaceId), 80)
      assert.deepInclude(yield* state(), { deletions_held: 0 })
      assert.deepStrictEqual(yield* syncs.heldDeletions(workspaceId), [])
    })
  )

  it.effect(
    "stay held until they are confirmed, although a few documents are back or the source has grown",
    withSource(100, function*(source) {
      const { id, sync, syncs, workspaceId } = yield* connected()
      yield* settle()
      const notes = source.resources.get("notes")!
      for (const name of [...notes.keys()].slice(0, 21)) notes.delete(name)
      assert.deepInclude(yield* sync, { deletions_held: 21 })
      for (const name of ["00000", "00001", "00002"]) notes.set(name, "It is back.")
      assert.deepInclude(yield* sync, { items_deleted: 0, documents: 100, deletions_held: 18 })
      for (let more = 100; more < 300; more++) notes.set(`${more}`, "It is new.")
      assert.deepInclude(yield* sync, { items_deleted: 0, documents: 300, deletions_held: 18 })
      assert.deepInclude(yield* syncs.confirmDeletions(workspaceId, id, "notes"), { items_deleted: 18 })
      notes.delete("00000")
      assert.deepInclude(yield* sync, { items_deleted: 1, documents: 281, deletions_held: 0 })
    })
  )

  it.effect(
    "are applied if they are few, or at most 15 % of the source",
    withSource(100, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      const notes = source.resources.get("notes")!
      for (const name of [...notes.keys()].slice(0, 19)) notes.delete(name)
      assert.deepInclude(yield* sync, { items_deleted: 19, documents: 81, deletions_held: 0 })
      fill(source, 200)
      yield* sync
      for (const name of [...notes.keys()].slice(0, 30)) notes.delete(name)
      assert.deepInclude(yield* sync, { items_deleted: 30, documents: 170, deletions_held: 0 })
      assert.strictEqual(yield* documentsOf(workspaceId), 170)
      for (const name of [...notes.keys()].slice(0, 26)) notes.delete(name)
      assert.deepInclude(yield* sync, { items_deleted: 0, documents: 170, deletions_held: 26 })
    })
  )

  it.effect(
    "are not concluded for the part of a source that could not be read",
    withSource(100, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      const notes = source.resources.get("notes")!
      for (const name of ["00001", "00010", "00011"]) notes.delete(name)
      source.unlisted = ["notes/0001"]
      assert.deepInclude(yield* sync, { items_deleted: 1, documents: 99 })
      source.unlisted = []
      assert.deepInclude(yield* sync, { items_deleted: 2, documents: 97 })
      assert.strictEqual(yield* documentsOf(workspaceId), 97)
    })
  )

  it.effect(
    "include documents that are older than the window, if the source lists older ones as well",
    withSource(3, function*(source) {
      const { connections, id, sync, workspace, workspaceId } = yield* connected()
      yield* sync
      yield* connections.update(workspace, id, { sync_config: { start: { type: "relative", days: 10 } } }, OPERATOR)
      source.resources.get("notes")!.delete("00001")
      assert.deepInclude(yield* sync, { items_deleted: 0, documents: 3 })
      source.ofAnyAge = true
      assert.deepInclude(yield* sync, { items_deleted: 1, documents: 2 })
      assert.strictEqual(yield* documentsOf(workspaceId), 2)
    })
  )

  it.effect(
    "are forgotten when the source names the document again after it",
    withSource(3, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      const external_id = "notes/00001"
      const item = { external_id, timestamp: new Date(0), payload: { kind: "page", content: "It was moved back." } }
      source.provider.sync = () => Stream.make({ _tag: "Delete", external_id }, { _tag: "Upsert", item })
      assert.deepInclude(yield* sync, { status: "completed", items_ingested: 1, items_deleted: 0 })
      assert.strictEqual(yield* documentsOf(workspaceId), 3)
    })
  )

  it.effect(
    "are forgotten when all that was missing is listed again, unchanged",
    withSource(100, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      source.remembers = true
      const notes = source.resources.get("notes")!
      for (const name of [...notes.keys()].slice(0, 21)) notes.delete(name)
      assert.deepInclude(yield* sync, { deletions_held: 21 })
      fill(source, 100)
      assert.deepInclude(yield* sync, { items_deleted: 0, deletions_held: 0 })
      assert.strictEqual(yield* documentsOf(workspaceId), 100)
    })
  )

  it.effect("are concluded for what begins with the window or lasts into it, and for nothing earlier", () =>
    Effect.gen(function*() {
      const since = new Date("2026-11-01T00:00:00Z")
      const before = new Date(since.getTime() - 1)
      const stored = [
        { external_id: "notes/earlier", timestamp: before, ends_at: null },
        { external_id: "notes/first", timestamp: since, ends_at: null },
        { external_id: "notes/lasting", timestamp: before, ends_at: since }
      ]
      let noted: ReadonlyArray<string> = []
      const documents = Layer.mock(DocumentStore, { externalIds: () => Effect.succeed(stored) })
      const connections = Layer.mock(ConnectionStore, {
        countDeletions: () => Effect.succeed(0),
        states: () => Effect.succeed([]),
        noteDeletions: (_workspaceId, _ref, { gone }) => Effect.sync(() => noted = gone)
      })
      const of = { connection_id: ConnectionId.make(crypto.randomUUID()), resource: "notes" }
      const listing = { listed: new DigestSet(), unlisted: [], since }
      yield* markMissing(WorkspaceId.make(crypto.randomUUID()), of, listing, FENCING_TOKEN).pipe(
        Effect.provide(Layer.merge(documents, connections))
      )
      assert.deepStrictEqual(noted, ["notes/first", "notes/lasting"])
    }))

  it.effect.each([0, 19, 20, 21])(
    "are counted with one query if they are few or held: %i",
    (noted) =>
      Effect.gen(function*() {
        let counts = 0
        const documents = Layer.mock(DocumentStore, { count: () => Effect.sync(() => (counts++, 100)) })
        const connections = Layer.mock(ConnectionStore, {
          countDeletions: () => Effect.succeed(noted),
          states: () => Effect.succeed([]),
          deletions: () => Effect.succeed([])
        })
        const of = { connection_id: ConnectionId.make(crypto.randomUUID()), resource: "notes" }
        const outcome = yield* decideDeletions(WorkspaceId.make(crypto.randomUUID()), of, 0, FENCING_TOKEN).pipe(
          Effect.provide(Layer.merge(documents, connections))
        )
        assert.deepStrictEqual([outcome, counts], [{ held: noted < 20 ? 0 : noted, deleted: 0, documents: 100 }, 1])
      })
  )

  it.effect(
    "end with the attempt that has lost its lease, and delete nothing",
    withSource(3, function*() {
      const { id, workspaceId } = yield* connected()
      yield* settle()
      const ref = { connection_id: id, resource: "notes" }
      yield* (yield* ConnectionStore).noteDeletions(workspaceId, ref, { gone: ["notes/00000"], there: [] })
      const deleted = yield* Effect.exit(carryOutDeletions(workspaceId, ref, { ...FENCING_TOKEN, lease: "lost" }))
      assert.isTrue(Exit.hasInterrupts(deleted))
      assert.strictEqual(yield* documentsOf(workspaceId), 3)
    })
  )

  it.effect(
    "that the source reports one by one are held as well",
    withSource(100, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      source.endsEarly = true
      const notes = source.resources.get("notes")!
      const names = [...notes.keys()]
      source.gone.push(...names.slice(0, 5))
      for (const name of source.gone) notes.delete(name)
      assert.deepInclude(yield* sync, { items_deleted: 5, deletions_held: 0 })
      source.gone.push(...names.slice(5, 40))
      for (const name of source.gone) notes.delete(name)
      assert.deepInclude(yield* sync, { items_deleted: 0, deletions_held: 35 })
      assert.strictEqual(yield* documentsOf(workspaceId), 95)
    })
  )

  it.effect(
    "are never concluded from an incomplete listing",
    withSource(10, function*(source) {
      const { sync, workspaceId } = yield* connected()
      yield* sync
      source.endsEarly = true
      source.resources.get("notes")!.clear()
      assert.deepInclude(yield* sync, { status: "completed", items_deleted: 0, deletions_held: 0 })
      assert.strictEqual(yield* documentsOf(workspaceId), 10)
    })
  )

  it.effect(
    "of one resource do not affect another whose name starts with it",
    withSource(2, function*(source) {
      fill(source, 5, "notes/old")
      const { state, sync, workspaceId } = yield* connected()
      yield* settle()
      assert.strictEqual(yield* documentsOf(workspaceId), 7)
      source.resources.get("notes")!.clear()
      assert.deepInclude(yield* sync, { items_deleted: 2 })
      assert.deepInclude(yield* state("notes/old"), { items_deleted: 0 })
      assert.strictEqual(yield* documentsOf(workspaceId), 5)
    })
  )
})
