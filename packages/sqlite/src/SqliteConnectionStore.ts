/** Connections and the states of their resources in SQLite. */
import { SyncState } from "@tributary/core/model/Connection"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { isUnderWay } from "@tributary/core/model/isUnderWay"
import {
  ConnectionStore,
  type ResourceRef,
  type SyncRecord,
  type SyncSummary
} from "@tributary/core/ports/ConnectionStore"
import { Effect, Layer, Option, Schema } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./rows/first.ts"
import { timed } from "./internal/timed.ts"
import { date } from "./rows/Columns.ts"
import { CONNECTION, type ConnectionColumns, toConnection } from "./writes/connections.ts"
import { OF_RESOURCE, type StateColumns, type StateRow } from "./writes/syncStates.ts"

/** Marks outlive documents that somebody deletes. */
const IS_STORED = `EXISTS (SELECT 1 FROM documents d
  WHERE d.connector_id = source_deletions.connection_id AND d.external_id = source_deletions.external_id)`

type CursorColumns = StateColumns & Pick<StateRow, "cursor">

const State = Schema.fromJsonString(Schema.Struct({ ...SyncState.fields, revision: Schema.Int }))

const toSummary = ({ due_at, job_id, state }: StateColumns): SyncSummary => ({
  ...Schema.decodeSync(State)(state),
  due_at: date(due_at),
  job_id
})

const toRow = (state: SyncRecord): StateRow => ({
  connection_id: state.connection_id,
  resource: state.resource,
  job_id: state.job_id,
  due_at: state.due_at === null ? null : state.due_at.getTime(),
  is_live: isUnderWay(state),
  state: Schema.encodeSync(State)(state),
  cursor: JSON.stringify(state.cursor)
})

export const layer = Layer.effect(
  ConnectionStore,
  Effect.gen(function*() {
    const { announcing, read, readOpen, write } = yield* Database

    return ConnectionStore.of({
      insert: (workspaceId, connection, maximum, states = []) =>
        write("insertConnection", workspaceId, connection, maximum, states.map(toRow)),

      find: (workspaceId, connectionId) =>
        readOpen(workspaceId, Option.none(), (db) =>
          first(
            db.get<ConnectionColumns>(
              `SELECT ${CONNECTION} FROM connections WHERE workspace_id = ? AND connection_id = ?`,
              workspaceId,
              connectionId
            ),
            toConnection
          )),

      list: (workspaceId) =>
        readOpen(workspaceId, [], (db) =>
          db.all<ConnectionColumns>(
            `SELECT ${CONNECTION} FROM connections WHERE workspace_id = ? ORDER BY connected_at DESC, connection_id DESC`,
            workspaceId
          ).map(toConnection)),

      update: (workspaceId, connectionId, change, from, states = []) =>
        Effect.map(
          write("updateConnection", workspaceId, connectionId, change, from, states.map(toRow)),
          Option.fromNullOr
        ),

      reseal: (workspaceId, connectionId, before, after) =>
        write("resealConnection", workspaceId, connectionId, before, after),

      remove: (workspaceId, connectionId, deletion) =>
        announcing(write("removeConnection", workspaceId, connectionId, deletion)),

      states: (workspaceId, connectionId) =>
        readOpen(workspaceId, [], (db) =>
          db.all<StateColumns>(
            `SELECT job_id, due_at, state FROM sync_states WHERE workspace_id = ? AND connection_id = ?
              ORDER BY resource`,
            workspaceId,
            connectionId
          ).map(toSummary)),

      findState: (workspaceId, { connection_id, resource }) =>
        readOpen(workspaceId, Option.none(), (db) =>
          first(
            db.get<CursorColumns>(
              `SELECT job_id, due_at, state, cursor FROM sync_states WHERE ${OF_RESOURCE}`,
              workspaceId,
              connection_id,
              resource
            ),
            (row) => ({ ...toSummary(row), cursor: JSON.parse(row.cursor) })
          )),

      saveState: (workspaceId, state, holder, follow, fencingToken) =>
        announcing(timed(fencingToken, (at) => write("saveState", workspaceId, toRow(state), holder, follow, at))),

      due: (now, limit) =>
        read((db) =>
          db.all<ResourceRef & { readonly workspace_id: WorkspaceId }>(
            `SELECT q.workspace_id, q.connection_id, q.resource FROM (
                SELECT workspace_id, connection_id, resource, due_at FROM sync_states WHERE due_at <= ?1
                UNION
                SELECT workspace_id, connection_id, resource, due_at FROM sync_states s INDEXED BY sync_states_live
                  WHERE is_live AND job_id IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM jobs j WHERE j.job_id = s.job_id AND j.status IN ('queued', 'running'))
              ) q
              JOIN connections c ON c.connection_id = q.connection_id
              JOIN workspaces w ON w.workspace_id = q.workspace_id
              WHERE c.status = 'active' AND NOT w.suspended
              ORDER BY q.due_at IS NULL, q.due_at LIMIT ?2`,
            now,
            limit
          )
        ),

      noteDeletions: (workspaceId, ref, change, fencingToken) =>
        timed(fencingToken, (at) => write("noteDeletions", workspaceId, ref, change, at)),

      deletions: (workspaceId, { connection_id, resource }, limit) =>
        readOpen(workspaceId, [], (db) =>
          db.all<{ readonly external_id: string }>(
            `SELECT external_id FROM source_deletions WHERE ${OF_RESOURCE} AND ${IS_STORED} ORDER BY external_id LIMIT ?`,
            workspaceId,
            connection_id,
            resource,
            limit
          ).map(({ external_id }) => external_id)),

      countDeletions: (workspaceId, { connection_id, resource }) =>
        readOpen(workspaceId, 0, (db) =>
          db.get<{ readonly count: number }>(
            `SELECT count(*) AS count FROM source_deletions WHERE ${OF_RESOURCE} AND ${IS_STORED}`,
            workspaceId,
            connection_id,
            resource
          )!.count)
    })
  })
)
