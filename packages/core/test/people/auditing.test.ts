// Callers of core's services, without HTTP, leave entries in the audit log as well.
import { assert, it } from "@effect/vitest"
import { type Context, Effect, Layer } from "effect"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { AuditLog, ClientAddress } from "../../src/people/AuditLog.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { ConnectionStore } from "../../src/ports/ConnectionStore.ts"
import { WebhookStore } from "../../src/ports/WebhookStore.ts"
import { WorkspaceStore } from "../../src/ports/WorkspaceStore.ts"
import { Connections } from "../../src/sync/Connections.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { connect, newWorkspace, store, withSource } from "../support/connecting.ts"
import { intercepted } from "../support/intercepted.ts"
import { newReceiver, node } from "../support/receiver.ts"
import { tinySource } from "../support/tinySource.ts"

it.effect(
  "a change by a host's own code is in the audit log, with who made it and from where",
  withSource(() =>
    Effect.gen(function*() {
      const workspace = yield* newWorkspace()
      const { workspace_id } = workspace
      const by = { type: "user", id: "ada" } as const
      const wanted = { name: "Notes", source_name: "notes" }
      const { connector_id } = yield* (yield* Connectors).create(workspace, wanted, by)
      yield* (yield* KnowledgeContext).configure(workspace, { temporal_settings: { start: null, end: null } }, by)
      const { connection_id } = yield* connect(workspace)
      const { items } = yield* (yield* AuditLog).list(workspace, {}, { limit: 3, cursor: null })
      assert.deepStrictEqual(items.map(({ action, actor, address, subject }) => [action, actor.id, address, subject]), [
        ["connection.created", "operator", "192.0.2.7", connection_id],
        ["knowledge_range.changed", "ada", "192.0.2.7", workspace_id],
        ["connector.created", "ada", "192.0.2.7", connector_id]
      ])
    }).pipe(Effect.provideService(ClientAddress, "192.0.2.7"))
  )
)

it.effect(
  "an export of many pages is in the audit log once, with its filter",
  withSource(() =>
    Effect.gen(function*() {
      const log = yield* AuditLog
      const workspace = yield* newWorkspace()
      const by = { type: "user", id: "ada" } as const
      for (const name of ["one", "two"]) yield* (yield* Connectors).create(workspace, { name, source_name: name }, by)
      const filter = { action: "connector.created" }
      const first = yield* log.export(workspace, filter, { limit: 1, cursor: null }, by)
      const second = yield* log.export(workspace, filter, { limit: 1, cursor: first.next }, by)
      assert.deepStrictEqual([first.items.length, second.items.length, second.next], [1, 1, null])
      const { items } = yield* log.list(workspace, { action: "audit_log" }, { limit: 10, cursor: null })
      assert.deepStrictEqual(items.map(({ actor, details }) => [actor, details]), [
        [by, { filter: JSON.stringify(filter) }]
      ])
    })
  )
)

/** The answers of a member of a port are lost. */
const losing = <Id, Store extends object>(port: Context.Key<Id, Store>, member: keyof Store) =>
  Layer.effect(
    port,
    Effect.map(port, (inner) =>
      intercepted(inner, (name, call) =>
        name === member ? Effect.andThen(call, Effect.fail(new StorageUnavailable({ cause: "lost" }))) : call))
  )

it.effect("a deletion whose answer is lost is in the audit log, although repeating it finds nothing", () => {
  const ports = Layer.mergeAll(
    losing(ConnectionStore, "remove"),
    losing(WebhookStore, "remove"),
    losing(WorkspaceStore, "close")
  )
  return Effect.gen(function*() {
    const [connections, webhooks, workspaces] = [yield* Connections, yield* Webhooks, yield* Workspaces]
    const workspace = yield* newWorkspace()
    const { connection_id } = yield* connect(workspace)
    const { webhook_id } = yield* webhooks.create(
      workspace,
      { url: "https://example.com", event_types: ["document.created"] },
      OPERATOR
    )
    const deletions = Effect.all([
      Effect.flip(connections.delete(workspace, connection_id, false, OPERATOR)),
      Effect.flip(webhooks.delete(workspace, webhook_id, OPERATOR)),
      Effect.flip(workspaces.erase(workspace.workspace_id))
    ])
    const tags = Effect.map(deletions, (failures) => failures.map(({ _tag }) => _tag))
    assert.deepStrictEqual(yield* tags, ["StorageUnavailable", "StorageUnavailable", "StorageUnavailable"])
    assert.deepStrictEqual(yield* tags, ["connection_not_found", "webhook_not_found", "not_found"])
    const { items } = yield* (yield* AuditLog).list(workspace, {}, { limit: 3, cursor: null })
    assert.deepStrictEqual(items.map(({ action, subject }) => [action, subject]), [
      ["workspace.deleted", workspace.workspace_id],
      ["webhook.deleted", webhook_id],
      ["connection.deleted", connection_id]
    ])
  }).pipe(Effect.provide(
    Layer.provideMerge(node(newReceiver(), [tinySource().provider]), Layer.provideMerge(ports, store))
  ))
})
