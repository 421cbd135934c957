/** Connections that change while something else happens to them. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import type { Connection, ConnectionPatch } from "../../src/model/Connection.ts"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { AuditStore, EVERY_ENTRY } from "../../src/ports/AuditStore.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { CredentialsRefused } from "../../src/ports/Provider.ts"
import type { Stored } from "../../src/ports/Storage.ts"
import { Connections } from "../../src/sync/Connections.ts"
import { Syncs } from "../../src/sync/Syncs.ts"
import { connect, connected, newWorkspace, node, settle, withSource } from "../support/connecting.ts"
import { fill, tinySource } from "../support/tinySource.ts"

/** Changes a connection while another change of it is about to be stored. */
const changedTwice = Effect.fnUntraced(
  function*(patch: ConnectionPatch, other: ConnectionPatch, expected: Partial<Connection>) {
    const source = tinySource()
    fill(source, 3)
    let meanwhile: Effect.Effect<unknown> = Effect.void
    const changing = Layer.effect(
      ConnectionStore,
      Effect.map(
        ConnectionStore,
        (store) => ConnectionStore.of({ ...store, update: (...of) => Effect.andThen(meanwhile, store.update(...of)) })
      )
    ).pipe(Layer.provideMerge(Layer.fresh(Memory.layer)))
    yield* Effect.gen(function*() {
      const { connections, id, workspace, workspaceId } = yield* connected()
      meanwhile = Effect.suspend(() => {
        meanwhile = Effect.void
        return Effect.orDie(connections.update(workspace, id, other, OPERATOR))
      })
      assert.deepInclude(yield* connections.update(workspace, id, patch, OPERATOR), expected)
      assert.deepInclude(yield* connections.find(workspaceId, id), expected)
    }).pipe(Effect.provide(Layer.provideMerge(node(source), changing)))
  }
)

describe("a connection", () => {
  it.effect(
    "that is changed in nothing is not noted in the audit log, nor synced",
    withSource(3, function*(source) {
      const { connections, id, workspace, workspaceId } = yield* connected()
      yield* settle()
      const before = yield* connections.find(workspaceId, id)
      for (const patch of [{}, { name: null, config: null, status: null }, { sync_config: {} }]) {
        assert.deepStrictEqual(yield* connections.update(workspace, id, patch, OPERATOR), before)
      }
      yield* connections.update(workspace, id, { sync_config: { start: null } }, OPERATOR)
      yield* settle()
      const audit = yield* AuditStore
      const entries = yield* audit.list(workspace.account_id!, {
        workspaceId,
        selection: EVERY_ENTRY,
        after: null,
        limit: 10
      })
      assert.deepStrictEqual(
        entries.map(({ action }) => action).filter((action) => action.startsWith("connection")),
        ["connection.changed", "connection.created"]
      )
      assert.strictEqual(source.syncs, 1)
      const unknown = yield* Effect.flip(connections.update(workspace, crypto.randomUUID(), {}, OPERATOR))
      assert.strictEqual(unknown._tag, "connection_not_found")
    })
  )

  it.effect("that was stored when its server ended is synced when it is back", () =>
    Effect.gen(function*() {
      const source = tinySource()
      fill(source, 3)
      let isDown = false
      const ending = Layer.effect(
        ConnectionStore,
        Effect.map(ConnectionStore, (store) => {
          const alive =
            <Args extends ReadonlyArray<unknown>, A>(act: (...args: Args) => Stored<A>) => (...args: Args) =>
              Effect.suspend(() => isDown ? Effect.fail(new StorageUnavailable({ cause: "down" })) : act(...args))
          const alone = Object.fromEntries(
            Object.entries(store).map((
              [name, act]
            ) => [name, alive(act as (...args: ReadonlyArray<unknown>) => Stored<unknown>)])
          )
          return ConnectionStore.of({
            ...alone as typeof store,
            insert: (...args) => Effect.tap(store.insert(...args), () => Effect.sync(() => isDown = true))
          })
        })
      ).pipe(Layer.provideMerge(Layer.fresh(Memory.layer)))
      yield* Effect.gen(function*() {
        const workspace = yield* newWorkspace()
        assert.strictEqual((yield* Effect.flip(connect(workspace)))._tag, "StorageUnavailable")
        isDown = false
        yield* settle()
        const [{ connection_id }] = (yield* (yield* Connections).list(workspace.workspace_id)) as [Connection]
        const states = yield* (yield* Syncs).states(workspace.workspace_id, connection_id)
        assert.deepStrictEqual(states.map(({ resource, status }) => [resource, status]), [["notes", "completed"]])
      }).pipe(Effect.provide(Layer.provideMerge(node(source), ending)))
    }))

  it.effect("that is paused during another change stays paused, and has both", () =>
    changedTwice({ name: "Diary" }, { status: "paused" }, { name: "Diary", status: "paused" }))

  it.effect("whose sync settings are changed one by one at once has all of them", () =>
    Effect.gen(function*() {
      const sync_config = { start: { type: "relative", days: 30 }, interval_minutes: 5 } as const
      const [reach, interval] = [{ start: sync_config.start }, { interval_minutes: 5 }]
      yield* changedTwice({ sync_config: reach }, { sync_config: interval }, { sync_config })
      yield* changedTwice({ sync_config: interval }, { sync_config: reach }, { sync_config })
      yield* changedTwice({ name: "Diary" }, { sync_config }, { name: "Diary", sync_config })
    }))

  it.effect(
    "whose credentials are corrected while a sync finds the old ones refused is active, and synced",
    withSource(3, function*(source) {
      const { connections, id, state, syncs, workspace, workspaceId } = yield* connected()
      yield* settle()
      const corrected = { host: "notes.example", password: "another password" }
      const correct = Effect.suspend(() => {
        source.faults.clear()
        source.password = corrected.password
        return Effect.orDie(connections.update(workspace, id, { config: corrected }, OPERATOR))
      })
      source.faults.set(
        "00001",
        Effect.andThen(correct, Effect.fail(new CredentialsRefused({ message: "The server refused the password." })))
      )
      yield* syncs.start(workspaceId, id)
      yield* settle()
      assert.deepInclude(yield* connections.find(workspaceId, id), { status: "active", error: null })
      assert.deepInclude(yield* state(), { status: "completed", error: null })
    })
  )
})
