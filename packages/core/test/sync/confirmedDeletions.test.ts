/** Held deletions that somebody confirms, also while something else happens to them. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { type Context, Effect, Layer, Option } from "effect"
import { ConnectorId } from "../../src/model/Id.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { DocumentStore } from "../../src/ports/DocumentStore.ts"
import { connected, documentsOf, node, settle, withSource } from "../support/connecting.ts"
import { fill, type TinySource, tinySource } from "../support/tinySource.ts"

const FIRST = "notes/00000"

/** A connection with a hundred documents, of which `count` are gone at the source and held. `putBack` returns the first of them. */
const held = Effect.fnUntraced(function*(source: TinySource, count: number) {
  const connection = yield* connected()
  yield* settle()
  const notes = source.resources.get("notes")!
  const gone = [...notes].slice(0, count)
  for (const [name] of gone) notes.delete(name)
  assert.deepInclude(yield* connection.sync, { deletions_held: count })
  const confirm = Effect.orDie(connection.syncs.confirmDeletions(connection.workspaceId, connection.id, "notes"))
  return { ...connection, confirm, putBack: () => void notes.set(...gone[0]!) }
})

const firstIsStored = Effect.fnUntraced(function*({ id, workspaceId }: Effect.Success<ReturnType<typeof held>>) {
  const found = yield* (yield* DocumentStore).findByExternalId(workspaceId, ConnectorId.make(id), FIRST)
  assert.isTrue(Option.isSome(found))
})

/** A test with a hundred documents, whose store does once, at the place that `hooked` chooses, what `meanwhile` gets. */
const withMeanwhile = <I extends ConnectionStore | DocumentStore, S extends object, A, E, R>(
  port: Context.Key<I, S>,
  hooked: (store: S, hook: Effect.Effect<unknown>) => Partial<S>,
  test: (source: TinySource, meanwhile: (act: Effect.Effect<unknown>) => void) => Effect.Effect<A, E, R>
) =>
() => {
  const source = tinySource()
  fill(source, 100)
  let act: Effect.Effect<unknown> = Effect.void
  const hook = Effect.suspend(() => {
    const now = act
    act = Effect.void
    return now
  })
  const over = Layer.effect(port, Effect.map(port, (store) => ({ ...store, ...hooked(store, hook) })))
  const tested = test(source, (next) => {
    act = next
  })
  return Effect.provide(tested, Layer.provideMerge(node(source), Layer.provideMerge(over, Layer.fresh(Memory.layer))))
}

/** Before a sync notes that it has found the first document. */
const beforeFirstIsFound = (
  store: ConnectionStore["Service"],
  hook: Effect.Effect<unknown>
): Partial<ConnectionStore["Service"]> => ({
  noteDeletions: (workspaceId, ref, change, fencingToken) =>
    Effect.andThen(
      change.there.includes(FIRST) ? hook : Effect.void,
      store.noteDeletions(workspaceId, ref, change, fencingToken)
    )
})

describe("held deletions that are confirmed", () => {
  it.effect(
    "at the end of a sync are not held again",
    withMeanwhile(
      DocumentStore,
      // The held deletion has been checked by then, but not reported yet.
      (store, hook) => ({ count: (...of) => Effect.tap(store.count(...of), () => hook) }),
      Effect.fnUntraced(function*(source, meanwhile) {
        const { confirm, state, sync, workspaceId } = yield* held(source, 21)
        meanwhile(confirm)
        assert.deepInclude(yield* sync, { status: "completed", deletions_held: 0, documents: 79 })
        assert.deepInclude(yield* state(), { deletions_held: 0 })
        assert.strictEqual(yield* documentsOf(workspaceId), 79)
      })
    )
  )

  it.effect(
    "while a sync finds a document again leave that document",
    withMeanwhile(
      ConnectionStore,
      beforeFirstIsFound,
      Effect.fnUntraced(function*(source, meanwhile) {
        const connection = yield* held(source, 21)
        connection.putBack()
        meanwhile(connection.confirm)
        assert.deepInclude(yield* connection.sync, { status: "completed", deletions_held: 0, documents: 80 })
        yield* firstIsStored(connection)
      })
    )
  )

  it.effect(
    "while the source has a document again, but does not send it, end with a complete sync",
    withMeanwhile(
      ConnectionStore,
      beforeFirstIsFound,
      Effect.fnUntraced(function*(source, meanwhile) {
        source.remembers = true
        const connection = yield* held(source, 22)
        connection.putBack()
        meanwhile(connection.confirm)
        yield* connection.sync
        yield* settle()
        yield* firstIsStored(connection)
        assert.strictEqual(yield* documentsOf(connection.workspaceId), 79)
      })
    )
  )

  it.effect(
    "are not final for a document that is at its source again, but is not sent",
    withSource(100, function*(source) {
      source.remembers = true
      const { confirm, putBack, sync } = yield* held(source, 22)
      yield* confirm
      putBack()
      assert.deepInclude(yield* sync, { items_ingested: 1, documents: 79 })
    })
  )

  it.effect(
    "by two people at once are counted once",
    withMeanwhile(
      DocumentStore,
      (store, hook) => ({ remove: (...of) => Effect.andThen(hook, store.remove(...of)) }),
      Effect.fnUntraced(function*(source, meanwhile) {
        const { confirm } = yield* held(source, 21)
        meanwhile(confirm)
        assert.deepInclude(yield* confirm, { items_deleted: 21, documents: 79, deletions_held: 0 })
      })
    )
  )
})
