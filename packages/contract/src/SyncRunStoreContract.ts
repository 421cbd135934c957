/** The contract of `SyncRunStore`. */
import { assert } from "@effect/vitest"
import { ConnectionId, SyncRunId, type WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { SyncRun } from "@tributary/core/model/SyncRun"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"
import { anyText } from "./internal/anyText.ts"
import { freshWorkspace, moment, newJob, newQueue, newUuid } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const newRun = (connection_id: ConnectionId, fields?: Partial<SyncRun>): SyncRun => ({
  run_id: SyncRunId.make(newUuid()),
  connection_id,
  resource: "INBOX",
  status: "completed",
  started_at: moment(),
  ended_at: moment(1_000),
  items_ingested: 3,
  items_deleted: 1,
  deletions_held: 0,
  left_out: [],
  error: null,
  next_attempt_at: moment(60_000),
  ...fields
})

/** A connection, and the store with its arguments filled in that seldom matter. */
const connectionIn = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const store = yield* SyncRunStore
  const connection_id = ConnectionId.make(newUuid())
  yield* (yield* ConnectionStore).insert(workspaceId, {
    connection_id,
    provider: "mail",
    name: "Post",
    config: {},
    sync_config: { start: null, interval_minutes: 15 },
    resources: ["INBOX"],
    connected_at: moment(),
    created_by: OPERATOR,
    status: "active",
    error: null,
    secrets: null,
    revision: 0
  }, 10)
  return {
    connection_id,
    workspaceId,
    append: (run: SyncRun, kept = 100, of: WorkspaceId = workspaceId) => store.append(of, run, kept),
    list: (resource: string | null = null, after: SyncRunId | null = null, limit = 9, of: WorkspaceId = workspaceId) =>
      store.list(of, connection_id, { resource, after, limit })
  }
})

const freshConnection = Effect.flatMap(freshWorkspace, connectionIn)

export const syncRunStoreContract = (it: Kit): void => {
  it.effect.prop("returns a run as it was stored", [anyText, anyText], ([resource, text]) =>
    Effect.gen(function*() {
      const { append, connection_id, list } = yield* freshConnection
      const run = newRun(connection_id, {
        resource,
        status: "failed",
        error: text,
        left_out: [{ reason: text, items: 2, external_ids: [resource, text] }],
        next_attempt_at: null
      })
      yield* append(run)
      assert.deepStrictEqual(yield* list(), [run])
    }), RUNS)

  it.effect("stores an id once", () =>
    Effect.gen(function*() {
      const { append, connection_id, list } = yield* freshConnection
      const run = newRun(connection_id)
      yield* append(run)
      yield* append({ ...run, items_ingested: 4 })
      assert.deepStrictEqual(yield* list(), [run])
    }))

  it.effect("pages through a connection's runs newest first, optionally of one resource", () =>
    Effect.gen(function*() {
      const bystander = yield* freshConnection
      const sibling = yield* connectionIn(bystander.workspaceId)
      const { append, connection_id, list } = yield* connectionIn(bystander.workspaceId)
      const stranger = yield* freshWorkspace
      const [one, two, three] = [
        newRun(connection_id),
        newRun(connection_id, { resource: "Sent" }),
        newRun(connection_id)
      ]
      for (const run of [three, one, two]) yield* append(run)
      for (const other of [bystander, sibling]) yield* other.append(newRun(other.connection_id))
      assert.deepStrictEqual(yield* list(), [three, two, one])
      assert.deepStrictEqual(yield* list(null, null, 2), [three, two])
      assert.deepStrictEqual(yield* list(null, two.run_id), [one])
      assert.deepStrictEqual(yield* list("Sent"), [two])
      assert.deepStrictEqual(yield* list("INBOX", three.run_id), [one])
      assert.deepStrictEqual(yield* list(null, null, 9, stranger), [])
    }))

  it.effect("keeps the last runs of each resource", () =>
    Effect.gen(function*() {
      const earlier = yield* freshConnection
      const bystander = newRun(earlier.connection_id)
      yield* earlier.append(bystander)
      const { append, connection_id, list } = yield* freshConnection
      const runs = Array.from({ length: 5 }, () => newRun(connection_id))
      const sent = newRun(connection_id, { resource: "Sent" })
      yield* append(sent, 3)
      for (const run of runs) yield* append(run, 3)
      assert.deepStrictEqual(yield* list(), [sent, ...runs.slice(2).reverse()])
      assert.deepStrictEqual(yield* earlier.list(), [bystander])
      yield* append(newRun(connection_id), 1, earlier.workspaceId)
      assert.deepStrictEqual(yield* list(), [sent, ...runs.slice(2).reverse()])
    }))

  it.effect("stores nothing for an unknown or removed connection, or one of another workspace", () =>
    Effect.gen(function*() {
      const { append, connection_id, list, workspaceId } = yield* freshConnection
      const stranger = yield* freshWorkspace
      yield* append(newRun(connection_id), 100, stranger)
      yield* append(newRun(ConnectionId.make(newUuid())))
      assert.deepStrictEqual(yield* list(), [])
      yield* append(newRun(connection_id))
      yield* (yield* ConnectionStore).remove(workspaceId, connection_id)
      yield* append(newRun(connection_id))
      assert.deepStrictEqual(yield* list(), [])
    }))

  it.effect("shows nothing of a closed workspace, even before it is erased", () =>
    Effect.gen(function*() {
      const { append, connection_id, list, workspaceId } = yield* freshConnection
      yield* append(newRun(connection_id))
      const workspaces = yield* WorkspaceStore
      yield* workspaces.close(workspaceId, newJob(workspaceId, newQueue()))
      yield* append(newRun(connection_id))
      assert.deepStrictEqual(yield* list(), [])
      yield* workspaces.erase(workspaceId)
      assert.deepStrictEqual(yield* list(), [])
    }))
}
