import { assert, describe, it } from "@effect/vitest"
import { Connectors } from "@tributary/core/Connectors"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Workspaces } from "@tributary/core/Workspaces"
import { Duration, Effect, Layer, Option } from "effect"
import { maintenance } from "../../src/jobs/maintenance.ts"
import { MAINTENANCE_QUEUE } from "../../src/jobs/maintenanceJobs.ts"
import { connected, services, servicesOver } from "../support/services.ts"

/** Runs the next maintenance job that waits. */
const runNext = Effect.gen(function*() {
  const claim = yield* (yield* JobStore).claim([MAINTENANCE_QUEUE], Duration.minutes(1), new Date(0))
  return yield* maintenance(Option.getOrThrow(claim))
})

/** What happens before and after the next change of a connector. */
const meanwhile = () => {
  const act = { before: Effect.void as Effect.Effect<unknown>, afterwards: Effect.void as Effect.Effect<unknown> }
  const once = (name: keyof typeof act) =>
    Effect.suspend(() => {
      const next = act[name]
      act[name] = Effect.void
      return next
    })
  const store = Layer.effect(
    ConnectorStore,
    Effect.map(ConnectorStore, (inner) => ({
      ...inner,
      update: (...given: Parameters<typeof inner.update>) =>
        once("before").pipe(Effect.andThen(inner.update(...given)), Effect.tap(once("afterwards")))
    }))
  )
  return { act, store }
}

describe("maintenance", () => {
  it.effect("deletes all documents of a connector, and of no other", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const [connectors, documents, ingest] = [yield* Connectors, yield* Documents, yield* Ingest]
      const other = yield* connectors.create(workspace, { name: "Other", source_name: "other" }, OPERATOR)
      const items = Array.from({ length: 1_000 }, (_, n) => ({ external_id: String(n), text: "x" }))
      yield* ingest.text(workspace, source, items)
      yield* ingest.text(workspace, source, [{ external_id: "last", text: "x" }])
      yield* ingest.text(workspace, other.connector_id, [{ external_id: "0", text: "kept" }])
      yield* connectors.deactivate(workspace, source, true, OPERATOR)
      assert.strictEqual(yield* runNext, "{\"documents_deleted\":1001}")
      assert.deepStrictEqual((yield* documents.list(id, source, null, { limit: 1, cursor: null })).items, [])
      assert.deepStrictEqual(yield* (yield* DocumentStore).meters(id), { documents: 1, storage: 4 })
    }).pipe(Effect.provide(services)))

  it.effect("keeps documents that arrive after a deactivated connector is active again, unchanged ones, too", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const [connectors, ingest] = [yield* Connectors, yield* Ingest]
      yield* ingest.text(workspace, source, ["a", "b", "c"].map((external_id) => ({ external_id, text: "old" })))
      yield* connectors.deactivate(workspace, source, true, OPERATOR)
      yield* connectors.update(workspace, source, { is_active: true }, OPERATOR)
      yield* ingest.text(workspace, source, [{ external_id: "b", text: "new" }, { external_id: "c", text: "old" }])
      yield* runNext
      const { items } = yield* (yield* Documents).list(id, source, null, { limit: 10, cursor: null })
      assert.deepStrictEqual(items.map(({ external_id }) => external_id).toSorted(), ["b", "c"])
    }).pipe(Effect.provide(services)))

  it.effect("keeps what arrives before a deactivation has answered, because somebody has activated it again", () => {
    const { act, store } = meanwhile()
    return Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const [connectors, ingest] = [yield* Connectors, yield* Ingest]
      yield* ingest.text(workspace, source, ["a", "b", "c"].map((external_id) => ({ external_id, text: "old" })))
      const again = Effect.andThen(
        connectors.update(workspace, source, { is_active: true }, OPERATOR),
        ingest.text(workspace, source, [{ external_id: "b", text: "new" }, { external_id: "c", text: "old" }])
      )
      act.afterwards = Effect.orDie(again)
      yield* connectors.deactivate(workspace, source, true, OPERATOR)
      yield* runNext
      const { items } = yield* (yield* Documents).list(id, source, null, { limit: 10, cursor: null })
      assert.deepStrictEqual(items.map(({ external_id }) => external_id).toSorted(), ["b", "c"])
    }).pipe(Effect.provide(servicesOver(store)))
  })

  it.effect("keeps what arrives after an activation has answered, if somebody deactivated the connector meanwhile", () => {
    const { act, store } = meanwhile()
    return Effect.gen(function*() {
      const { id, source, workspace } = yield* connected()
      const [connectors, ingest] = [yield* Connectors, yield* Ingest]
      const old = [{ external_id: "a", text: "old" }]
      yield* ingest.text(workspace, source, old)
      act.before = Effect.orDie(connectors.deactivate(workspace, source, true, OPERATOR))
      yield* connectors.update(workspace, source, { is_active: true }, OPERATOR)
      yield* ingest.text(workspace, source, old)
      yield* runNext
      assert.lengthOf((yield* (yield* Documents).list(id, source, null, { limit: 10, cursor: null })).items, 1)
    }).pipe(Effect.provide(servicesOver(store)))
  })

  it.effect("erases a closed workspace, idempotently", () =>
    Effect.gen(function*() {
      const { id } = yield* connected()
      yield* (yield* Workspaces).erase(id)
      const claim = Option.getOrThrow(
        yield* (yield* JobStore).claim([MAINTENANCE_QUEUE], Duration.minutes(1), new Date(0))
      )
      const erased: Array<string> = []
      const watched = Layer.mock(WorkspaceStore, {
        erase: (workspaceId) => Effect.sync(() => void erased.push(workspaceId))
      })
      assert.isNull(yield* maintenance(claim))
      assert.isNull(yield* maintenance(claim))
      assert.isNull(yield* Effect.provide(maintenance(claim), watched))
      assert.deepStrictEqual(erased, [id])
    }).pipe(Effect.provide(services)))

  it.effect("treats an unreadable job as a defect", () =>
    Effect.gen(function*() {
      const { source, workspace } = yield* connected()
      yield* (yield* Connectors).deactivate(workspace, source, true, OPERATOR)
      const claim = Option.getOrThrow(
        yield* (yield* JobStore).claim([MAINTENANCE_QUEUE], Duration.minutes(1), new Date(0))
      )
      const exit = yield* Effect.exit(maintenance({ job: { ...claim.job, payload: "{\"type\":\"other\"}" } }))
      assert.isTrue(exit._tag === "Failure")
    }).pipe(Effect.provide(services)))
})
