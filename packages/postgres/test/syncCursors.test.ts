import { assert, it } from "@effect/vitest"
import { ConnectionId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { ConnectionStore, type SyncRecord } from "@tributary/core/ports/ConnectionStore"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { newSource, newUuid, NOW } from "./support/source.ts"

const schema = newSchema()

const newState = (connection_id: ConnectionId): SyncRecord => ({
  connection_id,
  resource: "files",
  status: "completed",
  total_windows: 1,
  completed_windows: 1,
  items_ingested: 0,
  items_deleted: 0,
  documents: 0,
  deletions_held: 0,
  rejected: [],
  skipped: [],
  last_synced_at: NOW,
  error: null,
  attempt: 0,
  updated_at: NOW,
  cursor: "first",
  revision: 0,
  job_id: null,
  due_at: NOW
})

describePostgres("the cursor of a sync", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("is found where the previous release stored it, and that release can read newer ones", () =>
      Effect.gen(function*() {
        const [store, sql] = [yield* ConnectionStore, yield* SqlClient]
        const { workspaceId } = yield* newSource
        const connection_id = ConnectionId.make(newUuid())
        const state = newState(connection_id)
        yield* store.insert(
          workspaceId,
          {
            connection_id,
            provider: "files",
            name: "Folder",
            config: {},
            sync_config: { start: null, interval_minutes: 15 },
            resources: [state.resource],
            connected_at: NOW,
            created_by: OPERATOR,
            status: "active",
            error: null,
            secrets: null,
            revision: 0
          },
          1,
          [state]
        )
        const read = Effect.map(
          sql<{ readonly state: string }>`SELECT state FROM ${sql(`${schema}.sync_states`)}
            WHERE connection_id = ${connection_id}::uuid`,
          ([row]) => JSON.parse(row!.state)
        )
        const { documents: _, ...shared } = yield* read
        const before = { ...shared, cursor: "second" }
        yield* sql`SELECT ${sql(`${schema}.save_sync_state`)}(${workspaceId}::uuid, ${connection_id}::uuid,
          ${state.resource}::text, NULL, NULL, NULL, false, ${JSON.stringify(before)}::text, NULL)`
        const found = Option.getOrThrow(yield* store.findState(workspaceId, state))
        assert.deepStrictEqual(found, { ...state, documents: null, cursor: "second", due_at: null })
        assert.isTrue(yield* store.saveState(workspaceId, found, null, null))
        assert.deepStrictEqual(yield* store.findState(workspaceId, state), Option.some(found))
        // For that release there is no cursor, so it starts from the beginning.
        assert.deepStrictEqual(yield* read, { ...before, documents: null, cursor: null })
      }))
  })
})
