/** What changes while a sync runs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ConnectorId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { RetryableFailure } from "../../src/ports/Provider.ts"
import { connected, documentsOf, leap, settle, withSource } from "../support/connecting.ts"
import { fill } from "../support/tinySource.ts"

describe("while a sync runs", () => {
  it.effect(
    "a new resource inside of its resource loses no documents",
    withSource(0, function*(source) {
      Object.assign(source.provider, { resourcesVary: () => true })
      // The first one finds new ones.
      source.resources.clear()
      fill(source, 1, "first")
      fill(source, 3)
      const { id, state, syncs, workspaceId } = yield* connected()
      yield* settle()
      source.faults.set("00002", Effect.sleep("20 seconds"))
      fill(source, 2, "notes/new")
      yield* syncs.start(workspaceId, id)
      yield* settle(10)
      assert.deepInclude(yield* state("notes/new"), { status: "completed", documents: 2 })
      assert.deepInclude(yield* state(), { status: "running" })
      yield* settle(20)
      assert.deepInclude(yield* state(), { status: "completed", items_deleted: 0, documents: 3 })
      assert.strictEqual(yield* documentsOf(workspaceId), 6)
    })
  )

  it.effect(
    "a shorter interval applies from its end on",
    withSource(3, function*(source) {
      source.faults.set("00002", Effect.sleep("20 seconds"))
      const { connections, id, state, workspace } = yield* connected({}, {
        sync_config: { interval_minutes: 43_200 }
      })
      yield* settle(5)
      yield* connections.update(workspace, id, { sync_config: { interval_minutes: 30 } }, OPERATOR)
      yield* settle(30)
      assert.deepInclude(yield* state(), { status: "completed" })
      yield* leap("40 minutes")
      yield* settle(30)
      assert.strictEqual(source.syncs, 2)
    })
  )

  it.effect(
    "confirmed deletions are not shown as held again, even if it fails",
    withSource(100, function*(source) {
      const { id, state, sync, syncs, workspaceId } = yield* connected()
      yield* settle()
      const notes = source.resources.get("notes")!
      for (const name of [...notes.keys()].slice(0, 21)) notes.delete(name)
      assert.deepInclude(yield* sync, { deletions_held: 21 })
      source.faults.set("00090", Effect.sleep("10 seconds"))
      source.faults.set("00095", Effect.fail(new RetryableFailure({ message: "The source is busy." })))
      yield* syncs.start(workspaceId, id)
      yield* settle(5)
      assert.deepInclude(yield* syncs.confirmDeletions(workspaceId, id, "notes"), { deletions_held: 0 })
      yield* settle(10)
      assert.deepInclude(yield* state(), { deletions_held: 0 })
    })
  )
})

it.effect(
  "documents that are held, and deleted by somebody, are held no longer",
  withSource(100, function*(source) {
    const { id, sync, workspace, workspaceId } = yield* connected()
    yield* settle()
    const notes = source.resources.get("notes")!
    const gone = [...notes.keys()].slice(0, 21)
    for (const name of gone) notes.delete(name)
    assert.deepInclude(yield* sync, { deletions_held: 21 })
    const [documents, store] = [yield* Documents, yield* DocumentStore]
    for (const name of gone) {
      const found = yield* store.findByExternalId(workspaceId, ConnectorId.make(id), `notes/${name}`)
      yield* documents.delete(workspace, Option.getOrThrow(found).document_id, OPERATOR)
    }
    assert.deepInclude(yield* sync, { deletions_held: 0, documents: 79 })
    notes.delete("00030")
    assert.deepInclude(yield* sync, { deletions_held: 0, documents: 78, items_deleted: 1 })
  })
)
