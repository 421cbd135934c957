/** Connections, with the states of their resources, as the tests of the stores need them. */
import { ConnectionId, ConnectorId, type WorkspaceId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { type ConnectionRecord, ConnectionStore, type SyncRecord } from "@tributary/core/ports/ConnectionStore"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Option } from "effect"
import { freshWorkspace, item, moment, newJob, newQueue, newUuid, UNCAPPED } from "./fixtures.ts"

export const newConnection = (fields?: Partial<ConnectionRecord>): ConnectionRecord => ({
  connection_id: ConnectionId.make(newUuid()),
  provider: "mail",
  name: "Post 😀",
  config: { host: "mail.example", __proto__: null, nested: { "a\"b": [1, null, "\\"] } },
  sync_config: { start: { type: "relative", days: 30 }, interval_minutes: 15 },
  resources: ["INBOX", "Sent, \"old\" {x}"],
  connected_at: moment(),
  created_by: OPERATOR,
  status: "active",
  error: null,
  secrets: "1.abc.def",
  revision: 0,
  ...fields
})

export const newState = ({ connection_id }: ConnectionRecord, fields?: Partial<SyncRecord>): SyncRecord => ({
  connection_id,
  resource: "INBOX",
  status: "completed",
  total_windows: 3,
  completed_windows: 3,
  items_ingested: 7,
  items_deleted: 1,
  documents: 6,
  deletions_held: 0,
  rejected: [{ external_id: "INBOX/1", resource: "storage", reason: "quota_exceeded" }],
  skipped: [{ external_id: "INBOX/😀", reason: "It is \"damaged\"." }],
  last_synced_at: moment(1),
  error: null,
  attempt: 0,
  updated_at: moment(2),
  cursor: "{\"uid\":7}",
  revision: 0,
  job_id: null,
  due_at: moment(60_000),
  ...fields
})

/** Adds states of one connection. */
export const addStates = Effect.fnUntraced(function*(workspaceId: WorkspaceId, states: ReadonlyArray<SyncRecord>) {
  yield* (yield* ConnectionStore).update(workspaceId, states[0]!.connection_id, {}, {}, states)
})

/** A connection in its own workspace, and the origin of its documents. */
export const connected = Effect.gen(function*() {
  const store = yield* ConnectionStore
  const documents = yield* DocumentStore
  const workspaceId = yield* freshWorkspace
  const connection = newConnection()
  yield* store.insert(workspaceId, connection, 10)
  const origin = {
    connector_id: ConnectorId.make(connection.connection_id),
    source: `mail:${connection.connection_id}`
  }
  const queue = newQueue()
  const admit = (...externalIds: ReadonlyArray<string>) =>
    documents.admit(
      workspaceId,
      origin,
      externalIds.map((externalId) => item(externalId, externalId)),
      { caps: UNCAPPED, now: moment(), follow: newJob(workspaceId, queue) }
    )
  const states = (of: WorkspaceId = workspaceId) => store.states(of, connection.connection_id)
  const inbox = Effect.map(
    store.findState(workspaceId, { connection_id: connection.connection_id, resource: "INBOX" }),
    Option.getOrThrow
  )
  return { store, workspaceId, connection, id: connection.connection_id, origin, queue, admit, states, inbox }
})
