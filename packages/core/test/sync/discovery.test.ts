/** Resources that come and go at a source that is connected. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Layer } from "effect"
import { OPERATOR } from "../../src/model/Principal.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { CredentialsRefused, FatalFailure, RetryableFailure, type SyncFailure } from "../../src/ports/Provider.ts"
import { connected, documentsOf, leap, node, service, settle, store } from "../support/connecting.ts"
import { fill, PASSWORD, tinySource } from "../support/tinySource.ts"
import { type ReportingSource, reportingSource } from "../support/reportingSource.ts"

/** Two lists, of 3 and of `count` notes, and the connection to them. */
const withLists = <A, E, R>(count: number, test: (source: ReportingSource) => Effect.Effect<A, E, R>) => () =>
  Effect.flatMap(reportingSource, (source) => {
    fill(source, 3)
    fill(source, count, "other")
    return Effect.provide(test(source), service(source))
  })

const CHANGED = { host: "notes.example", password: PASSWORD, depth: 1 }

const interval = Effect.andThen(leap("70 minutes"), settle(30))

describe("a resource", () => {
  it.effect(
    "that is new at the source is pulled from the next sync on",
    withLists(
      2,
      Effect.fnUntraced(function*(source) {
        const { connections, id, state, workspaceId } = yield* connected()
        yield* settle(30)
        fill(source, 4, "new")
        yield* interval
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes", "other", "new"])
        assert.deepInclude(yield* state("new"), { status: "completed" })
        assert.strictEqual(yield* documentsOf(workspaceId), 9)
        source.resources.get("new")!.set("later", "One more.")
        yield* interval
        assert.strictEqual(yield* documentsOf(workspaceId), 10)
      })
    )
  )

  it.effect(
    "that is gone removes its few documents, and is pulled again when it is back",
    withLists(
      5,
      Effect.fnUntraced(function*(source) {
        const { connections, id, syncs, workspaceId } = yield* connected()
        yield* settle(30)
        source.resources.delete("other")
        yield* interval
        assert.strictEqual(yield* documentsOf(workspaceId), 3)
        const { resources, status } = yield* connections.find(workspaceId, id)
        assert.deepStrictEqual({ resources, status }, { resources: ["notes"], status: "active" })
        assert.deepStrictEqual((yield* syncs.states(workspaceId, id)).map(({ resource }) => resource), ["notes"])
        fill(source, 6, "other")
        yield* interval
        assert.strictEqual(yield* documentsOf(workspaceId), 9)
      })
    )
  )

  it.effect("that is back while its last sync ends is pulled again", () =>
    Effect.suspend(() => {
      // No watch sees that it is back.
      const source = tinySource()
      Object.assign(source.provider, { resourcesVary: () => true })
      fill(source, 3)
      fill(source, 5, "other")
      const dropped = Latch.makeUnsafe(true)
      const waiting = Layer.effect(
        ConnectionStore,
        Effect.map(ConnectionStore, (inner) => ({
          ...inner,
          update: (workspaceId, id, change, ...rest) =>
            Effect.tap(
              inner.update(workspaceId, id, change, ...rest),
              change.resources?.includes("other") === false ? dropped.await : Effect.void
            )
        }))
      )
      return Effect.gen(function*() {
        const { connections, id, state, syncs, workspaceId } = yield* connected()
        yield* settle(30)
        source.resources.delete("other")
        yield* dropped.close
        yield* syncs.start(workspaceId, id)
        yield* settle(30)
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes"])
        fill(source, 6, "other")
        yield* syncs.start(workspaceId, id)
        yield* settle(30)
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes", "other"])
        yield* dropped.open
        yield* settle(30)
        assert.deepInclude(yield* state("other"), { status: "completed", documents: 6 })
      }).pipe(Effect.provide(Layer.provideMerge(node(source), Layer.provideMerge(waiting, store))))
    }))

  it.effect(
    "that is gone with many documents keeps them until they are confirmed",
    withLists(
      30,
      Effect.fnUntraced(function*(source) {
        const { connections, id, state, syncs, workspaceId } = yield* connected()
        yield* settle(40)
        assert.strictEqual(yield* documentsOf(workspaceId), 33)
        source.resources.delete("other")
        yield* interval
        assert.deepInclude(yield* state("other"), { status: "completed", deletions_held: 30, items_deleted: 0 })
        assert.strictEqual(yield* documentsOf(workspaceId), 33)
        const confirmed = yield* syncs.confirmDeletions(workspaceId, id, "other")
        assert.deepInclude(confirmed, { deletions_held: 0, items_deleted: 30 })
        assert.strictEqual(yield* documentsOf(workspaceId), 3)
        yield* interval
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes"])
      })
    )
  )

  it.effect(
    "that a changed configuration does not list removes its few documents",
    withLists(
      5,
      Effect.fnUntraced(function*(source) {
        const { connections, id, state, syncs, workspace, workspaceId } = yield* connected()
        yield* settle(30)
        source.resources.delete("other")
        yield* connections.update(workspace, id, { config: CHANGED }, OPERATOR)
        yield* settle(30)
        assert.strictEqual(yield* documentsOf(workspaceId), 3)
        assert.deepStrictEqual((yield* syncs.states(workspaceId, id)).map(({ resource }) => resource), ["notes"])
        fill(source, 6, "other")
        yield* interval
        assert.deepInclude(yield* state("other"), { status: "completed", documents: 6 })
      })
    )
  )

  it.effect(
    "that a changed configuration does not list keeps its many documents until they are confirmed",
    withLists(
      30,
      Effect.fnUntraced(function*(source) {
        const { connections, id, state, syncs, workspace, workspaceId } = yield* connected()
        yield* settle(40)
        source.resources.delete("other")
        yield* connections.update(workspace, id, { config: CHANGED }, OPERATOR)
        yield* settle(30)
        assert.deepInclude(yield* state("other"), { status: "completed", deletions_held: 30 })
        assert.strictEqual(yield* documentsOf(workspaceId), 33)
        yield* syncs.confirmDeletions(workspaceId, id, "other")
        assert.strictEqual(yield* documentsOf(workspaceId), 3)
        assert.deepStrictEqual((yield* syncs.states(workspaceId, id)).map(({ resource }) => resource), ["notes"])
      })
    )
  )

  it.effect(
    "that a changed configuration does not list keeps its documents if it is back",
    withLists(
      30,
      Effect.fnUntraced(function*(source) {
        const { connections, id, state, workspace, workspaceId } = yield* connected()
        yield* settle(40)
        source.resources.delete("other")
        yield* connections.update(workspace, id, { config: CHANGED }, OPERATOR)
        yield* settle(30)
        fill(source, 29, "other")
        yield* interval
        assert.deepInclude(yield* state("other"), { status: "completed", deletions_held: 0, documents: 29 })
        assert.strictEqual(yield* documentsOf(workspaceId), 32)
      })
    )
  )

  it.effect(
    "that was connected first leaves the discovery to the next one",
    withLists(
      2,
      Effect.fnUntraced(function*(source) {
        const { connections, id, workspaceId } = yield* connected()
        yield* settle(30)
        source.resources.delete("notes")
        yield* interval
        fill(source, 1, "new")
        yield* interval
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["other", "new"])
        assert.strictEqual(yield* documentsOf(workspaceId), 3)
      })
    )
  )

  it.effect(
    "that has failed permanently leaves the discovery to the next one",
    withLists(
      2,
      Effect.fnUntraced(function*(source) {
        source.faults.set("00002", Effect.fail(new FatalFailure({ message: "This list is damaged." })))
        const { connections, id, state, workspaceId } = yield* connected()
        yield* settle(30)
        assert.deepInclude(yield* state(), { status: "failed" })
        fill(source, 1, "new")
        yield* interval
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes", "other", "new"])
      })
    )
  )

  it.effect(
    "that fails again and again leaves the discovery to the next one",
    withLists(
      2,
      Effect.fnUntraced(function*(source) {
        const { connections, id, state, workspaceId } = yield* connected()
        yield* settle(30)
        source.faults.set("00002", Effect.fail(new RetryableFailure({ message: "This list is busy." })))
        fill(source, 1, "new")
        yield* interval
        yield* interval
        assert.deepInclude(yield* state(), { status: "failed" })
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes", "other", "new"])
      })
    )
  )
})

const WITHOUT_A_LIST: Readonly<Record<string, SyncFailure>> = {
  "does not answer": new RetryableFailure({ message: "The server does not answer." }),
  "refuses to be asked": new CredentialsRefused({ message: "The server refused the password." })
}

for (const [what, failure] of Object.entries(WITHOUT_A_LIST)) {
  it.effect(`a source that ${what} causes no deletions`, () =>
    Effect.flatMap(reportingSource, (source) => {
      fill(source, 3)
      fill(source, 5, "other")
      const provider = { ...source.provider }
      Object.assign(source.provider, {
        resources: (config: Parameters<typeof provider.resources>[0]) =>
          source.resources.has("other") ? provider.resources(config) : Effect.fail(failure)
      })
      return Effect.gen(function*() {
        const { connections, id, state, workspaceId } = yield* connected()
        yield* settle(30)
        source.resources.delete("other")
        yield* interval
        assert.deepInclude(yield* state("other"), { status: "failed", error: "There is no such list." })
        assert.strictEqual(yield* documentsOf(workspaceId), 8)
        assert.deepStrictEqual((yield* connections.find(workspaceId, id)).resources, ["notes", "other"])
      }).pipe(Effect.provide(service(source)))
    }))
}
