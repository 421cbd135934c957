/** Syncs that are requested while another one runs, or has just ended. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Deferred, Effect, Layer } from "effect"
import { SyncRunStore } from "../../src/ports/SyncRunStore.ts"
import { connected, documentsOf, node, settle, withSource } from "../support/connecting.ts"
import { fill, tinySource } from "../support/tinySource.ts"

/** A sync that is held at a note, which it passes once it is released. */
const running = Effect.fnUntraced(function*(source: ReturnType<typeof tinySource>) {
  const release = yield* Deferred.make<void>()
  source.faults.set("00012", Deferred.await(release))
  const connection = yield* connected()
  yield* settle()
  assert.deepInclude(yield* connection.state(), { status: "running" })
  return { ...connection, release: Deferred.succeed(release, undefined) }
})

describe("a requested sync", () => {
  it.effect(
    "during another one follows it, once for all requests, and ingests what that one had passed",
    withSource(20, function*(source) {
      const { id, release, state, syncs, workspaceId } = yield* running(source)
      source.resources.get("notes")!.set("00003", "It changed to weasels.")
      for (let time = 0; time < 5; time++) yield* syncs.start(workspaceId, id)
      yield* settle()
      assert.strictEqual(source.syncs, 1)
      yield* release
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", items_ingested: 1 })
      assert.strictEqual(source.syncs, 2)
      assert.strictEqual(source.mostRunning, 1)
    })
  )

  it.effect(
    "during another one does not start if that one is cancelled",
    withSource(20, function*(source) {
      const { id, release, state, syncs, workspaceId } = yield* running(source)
      yield* syncs.start(workspaceId, id)
      yield* syncs.cancel(workspaceId, id, "notes")
      yield* release
      yield* settle()
      assert.deepInclude(yield* state(), { status: "cancelled" })
      assert.strictEqual(source.syncs, 1)
      yield* syncs.start(workspaceId, id)
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed" })
      assert.strictEqual(source.syncs, 2)
    })
  )

  it.effect("between the result of another one and the end of its job is queued, and runs", () =>
    Effect.gen(function*() {
      const source = tinySource()
      fill(source, 3)
      const [reached, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      /** The last act of a sync: its state says already how it ended. */
      const holding = Layer.effect(
        SyncRunStore,
        Effect.map(SyncRunStore, (store) =>
          SyncRunStore.of({
            ...store,
            append: (workspaceId, run, kept) =>
              Effect.andThen(
                Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(release)),
                store.append(workspaceId, run, kept)
              )
          }))
      ).pipe(Layer.provideMerge(Layer.fresh(Memory.layer)))
      yield* Effect.gen(function*() {
        const { id, state, syncs, workspaceId } = yield* connected()
        yield* settle()
        yield* Deferred.await(reached)
        assert.deepInclude(yield* state(), { status: "completed", items_ingested: 3 })
        source.resources.get("notes")!.set("new", "A new one.")
        const [asked] = yield* syncs.start(workspaceId, id)
        assert.deepInclude(asked, { status: "pending" })
        yield* Deferred.succeed(release, undefined)
        yield* settle()
        assert.deepInclude(yield* state(), { status: "completed", items_ingested: 1 })
        assert.strictEqual(yield* documentsOf(workspaceId), 4)
        assert.strictEqual(source.syncs, 2)
      }).pipe(Effect.provide(Layer.provideMerge(node(source), holding)))
    }))
})
