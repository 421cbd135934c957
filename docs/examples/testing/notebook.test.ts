/** The host's own tests: the real service on the memory storage, with a test clock. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { StorageUnavailable } from "@tributary/core/model/Error"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { openNotebook } from "./notebook.ts"

const backend = Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)

// The time at which the service starts. From then on only the tests move the clock.
const minuteToMidnight = Layer.effectDiscard(TestClock.setTime(Date.UTC(2026, 2, 8, 23, 59)))

// Built once for the tests in the block: each opens a notebook of its own, so none sees the others' notes.
layer(Tributary.layer.pipe(Layer.provide(backend), Layer.provide(minuteToMidnight)))("A notebook", (it) => {
  it.effect("recalls a note verbatim", () =>
    Effect.gen(function*() {
      const notebook = yield* openNotebook("Acme")
      yield* notebook.note("The spare key hangs in locker 7.")
      assert.deepStrictEqual(yield* notebook.recall("Where is the spare key?"), ["The spare key hangs in locker 7."])
    }))

  it.effect("recalls no note older than a week", () =>
    Effect.gen(function*() {
      const notebook = yield* openNotebook("Acme")
      yield* notebook.note("The spare key hangs in locker 7.", new Date("2026-03-01T09:00:00Z"))
      assert.lengthOf(yield* notebook.recall("Where is the spare key?"), 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* notebook.recall("Where is the spare key?"), [])
    }))
})

describe("A notebook whose storage is down", () => {
  // One port replaced, the others kept: what cannot be provoked in memory is said by a layer.
  const broken = Layer.effect(
    DocumentStore,
    Effect.map(DocumentStore, (store) =>
      DocumentStore.of({ ...store, admit: () => Effect.fail(new StorageUnavailable({ cause: "the disk is full" })) }))
  ).pipe(Layer.provideMerge(backend))

  it.effect("says so", () =>
    Effect.gen(function*() {
      const notebook = yield* openNotebook("Acme")
      const failure = yield* Effect.flip(notebook.note("The spare key hangs in locker 7."))
      assert.strictEqual(failure._tag, "StorageUnavailable")
    }).pipe(Effect.provide(Tributary.layer.pipe(Layer.provide(broken)))))
})
