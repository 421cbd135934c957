/** Syncs that are cancelled, paused or interrupted, and resumed. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Context, Effect, Latch, Layer, Option, Predicate, Scope } from "effect"
import { ConnectorId } from "../../src/model/Id.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { connected, documentsOf, leap, node, settle, withSource } from "../support/connecting.ts"
import { fill, tinySource } from "../support/tinySource.ts"

describe("cancelling and resuming", () => {
  it.effect(
    "a first sync that waits to be queued is cancelled, and is due after the interval",
    withSource(0, function*(source) {
      // More than are queued with the connection.
      for (let list = 0; list < 25; list++) fill(source, 1, `list${list}`)
      const { id, state, syncs, workspaceId } = yield* connected()
      assert.strictEqual((yield* syncs.cancel(workspaceId, id, "list24")).status, "cancelled")
      yield* settle(30)
      assert.deepInclude(yield* state("list23"), { status: "completed" })
      assert.deepInclude(yield* state("list24"), { status: "cancelled", documents: null })
      yield* leap("70 minutes")
      yield* settle(30)
      assert.deepInclude(yield* state("list24"), { status: "completed", documents: 1 })
    })
  )

  it.effect(
    "a cancelled sync ends within seconds, and the next one resumes from its last checkpoint",
    withSource(30, function*(source) {
      source.faults.set("00015", Effect.never)
      const { id, state, sync, syncs, workspaceId } = yield* connected()
      yield* settle()
      assert.deepInclude(yield* state(), { status: "running", completed_windows: 1, items_ingested: 10 })
      assert.strictEqual((yield* syncs.cancel(workspaceId, id, "notes")).status, "cancelled")
      yield* settle(4)
      assert.strictEqual(source.running, 0)
      assert.deepInclude(yield* state(), { status: "cancelled", completed_windows: 1 })
      source.faults.clear()
      assert.deepInclude(yield* sync, { status: "completed" })
      assert.deepStrictEqual(source.began.map(({ cursor }) => cursor), [null, "10"])
    })
  )

  it.effect(
    "a paused connection ingests nothing, and resumes once it is active",
    withSource(30, function*(source) {
      source.faults.set("00015", Effect.never)
      const { connections, id, state, syncs, workspace, workspaceId } = yield* connected()
      yield* settle()
      yield* connections.update(workspace, id, { status: "paused" }, OPERATOR)
      yield* settle(4)
      assert.strictEqual(source.running, 0)
      source.faults.clear()
      yield* leap("3 hours")
      yield* settle()
      assert.strictEqual(source.syncs, 1)
      const refused = yield* Effect.flip(syncs.start(workspaceId, id))
      assert.strictEqual(refused._tag, "bad_request")
      yield* connections.update(workspace, id, { status: "active" }, OPERATOR)
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed" })
      assert.strictEqual(source.began.at(-1)!.cursor, "10")
    })
  )

  it.effect("a connection that is paused while a sync of it is requested ingests nothing", () =>
    Effect.gen(function*() {
      const source = tinySource()
      fill(source, 3)
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const pausing = Layer.effect(
        ConnectionStore,
        Effect.map(
          ConnectionStore,
          (store) =>
            ConnectionStore.of({ ...store, findState: (...of) => Effect.tap(store.findState(...of), () => meanwhile) })
        )
      ).pipe(Layer.provideMerge(Layer.fresh(Memory.layer)))
      yield* Effect.gen(function*() {
        const { connections, id, syncs, workspace, workspaceId } = yield* connected()
        yield* settle()
        meanwhile = Effect.suspend(() => {
          meanwhile = Effect.void
          return Effect.orDie(connections.update(workspace, id, { status: "paused" }, OPERATOR))
        })
        yield* syncs.start(workspaceId, id)
        yield* settle()
        assert.strictEqual(source.syncs, 1)
      }).pipe(Effect.provide(Layer.provideMerge(node(source), pausing)))
    }))

  it.effect("if a node dies in the middle, another one resumes from the last checkpoint", () => {
    const source = tinySource()
    fill(source, 30)
    source.faults.set("00025", Effect.never)
    return Effect.gen(function*() {
      const dying = yield* Scope.make()
      const first = yield* Layer.buildWithScope(node(source), dying)
      const { state, workspaceId } = yield* Effect.provideContext(connected(), first)
      yield* settle()
      assert.deepInclude(yield* state(), { status: "running", completed_windows: 2 })
      yield* Scope.close(dying, yield* Effect.exit(Effect.void))
      source.faults.clear()
      yield* Layer.build(node(source))
      yield* settle(40)
      assert.deepInclude(yield* state(), { status: "completed", items_ingested: 30 })
      assert.deepStrictEqual(source.began.map(({ cursor }) => cursor), [null, "20"])
      assert.strictEqual(yield* documentsOf(workspaceId), 30)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer)))
  })

  it.effect.each(["admit", "saveState", "noteDeletions", "remove"] as const)(
    "a node that is stopped before %s, and wakes up when another one has synced, changes nothing",
    (act) => {
      const source = tinySource()
      fill(source, 30)
      const awake = Latch.makeUnsafe(true)
      let isStopping = false
      const slept = { acts: 0 }
      /** The store of the node that is stopped at its next `act`. */
      const sleeping = <Args extends ReadonlyArray<unknown>, A, E>(
        name: typeof act,
        write: (...args: Args) => Effect.Effect<A, E>
      ) =>
      (...args: Args) =>
        Effect.suspend(() => {
          const isOfSync = args.some((arg) =>
            Predicate.hasProperty(arg, "lease") ||
            (Predicate.hasProperty(arg, "fencingToken") && arg.fencingToken !== undefined)
          )
          if (name !== act || !isStopping || !isOfSync) return write(...args)
          slept.acts++
          return Effect.andThen(Effect.andThen(awake.close, awake.await), write(...args))
        })
      const stores = Layer.effectContext(Effect.gen(function*() {
        const [connections, documents, jobs] = [yield* ConnectionStore, yield* DocumentStore, yield* JobStore]
        return Context.mergeAll(
          Context.make(ConnectionStore, {
            ...connections,
            saveState: sleeping("saveState", connections.saveState),
            noteDeletions: sleeping("noteDeletions", connections.noteDeletions)
          }),
          Context.make(DocumentStore, {
            ...documents,
            admit: sleeping("admit", documents.admit),
            remove: sleeping("remove", documents.remove)
          }),
          // It does nothing else either.
          Context.make(JobStore, {
            ...jobs,
            heartbeat: (...args) => Effect.andThen(awake.await, jobs.heartbeat(...args)),
            claim: (...args) => awake.isOpen() ? jobs.claim(...args) : Effect.succeedNone
          })
        )
      }))
      return Effect.gen(function*() {
        const stopped = yield* Scope.make()
        const first = yield* Layer.buildWithScope(Layer.provide(node(source), stores), stopped)
        const { id, state, syncs, workspaceId } = yield* Effect.provideContext(connected(), first)
        yield* settle()
        const notes = source.resources.get("notes")!
        notes.set("00001", "Old.")
        notes.delete("00002")
        isStopping = true
        yield* syncs.start(workspaceId, id)
        yield* settle(3)
        assert.strictEqual(slept.acts, 1)
        isStopping = false
        notes.set("00001", "New.")
        notes.set("00002", "It is back.")
        yield* Layer.build(node(source))
        yield* settle(60)
        assert.deepInclude(yield* state(), { status: "completed", attempt: 0, documents: 30 })
        const documents = yield* DocumentStore
        const stored = Effect.gen(function*() {
          const [ref] = yield* documents.list(workspaceId, ConnectorId.make(id), {
            externalId: "notes/00001",
            after: null,
            limit: 1
          })
          const found = Option.getOrThrow(yield* documents.find(workspaceId, ref!.document_id))
          const marked = yield* (yield* ConnectionStore).countDeletions(workspaceId, {
            connection_id: id,
            resource: "notes"
          })
          return { text: found.chunks, documents: yield* documentsOf(workspaceId), marked, state: yield* state() }
        })
        const before = yield* stored
        assert.deepInclude(before, { documents: 30, marked: 0 })
        assert.include(before.text.join(""), "New.")
        yield* awake.open
        yield* settle()
        assert.deepStrictEqual(yield* stored, before)
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer)))
    }
  )

  it.effect("two nodes never sync one resource concurrently", () => {
    const source = tinySource()
    fill(source, 40)
    source.faults.set("00020", Effect.sleep("5 seconds"))
    return Effect.gen(function*() {
      const first = yield* Layer.build(node(source))
      const second = yield* Layer.build(node(source))
      const here = yield* Effect.provideContext(connected(), first)
      const there = yield* Effect.provideContext(connected(), second)
      yield* settle()
      source.mostRunning = 0
      for (let round = 0; round < 5; round++) {
        yield* Effect.all([
          here.syncs.start(here.workspaceId, here.id),
          there.syncs.start(here.workspaceId, here.id),
          here.syncs.start(here.workspaceId, here.id)
        ], { concurrency: "unbounded" })
        yield* settle(4)
      }
      yield* settle()
      assert.strictEqual((yield* here.state()).status, "completed")
      assert.strictEqual(source.mostRunning, 1)
      assert.strictEqual(yield* documentsOf(here.workspaceId), 40)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Memory.layer)))
  })
})
