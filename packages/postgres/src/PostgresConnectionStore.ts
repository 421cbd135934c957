/** Connections and the states of their resources on Postgres. */
import { SyncState } from "@tributary/core/model/Connection"
import type { ConnectionId, JobId, WorkspaceId } from "@tributary/core/model/Id"
import { isUnderWay } from "@tributary/core/model/isUnderWay"
import { parseJson } from "@tributary/core/model/parseJson"
import {
  type ConnectionChange,
  type ConnectionRecord,
  ConnectionStore,
  type ResourceRef,
  type SyncRecord,
  type SyncSummary
} from "@tributary/core/ports/ConnectionStore"
import { Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Columns } from "./internal/rows/Columns.ts"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { heldBy } from "./internal/rows/jobRows.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { moment } from "./internal/moment.ts"
import { limitTo } from "./internal/page.ts"
import { setColumns } from "./internal/setColumns.ts"
import { execute, stored } from "./internal/storageErrors.ts"

type ConnectionColumns = Columns<ConnectionRecord, "config" | "sync_config" | "created_by">

const toConnection = ({ config, created_by, sync_config, ...fields }: ConnectionColumns): ConnectionRecord => ({
  ...fields,
  config: parseJson(config),
  created_by: JSON.parse(created_by),
  sync_config: JSON.parse(sync_config)
})

interface StateColumns {
  readonly job_id: JobId | null
  readonly due_at: Date | null
  readonly state: string
}

/** The fields without a column. */
const State = Schema.fromJsonString(Schema.Struct({
  ...SyncState.fields,
  /** Absent in rows that the previous release wrote last. */
  documents: SyncState.fields.documents.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** As the release before writes it, and looks for it. Absent in rows that come from an export of another storage. */
  cursor: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  revision: Schema.Int
}))

const written = (state: SyncRecord): string => Schema.encodeSync(State)({ ...state, cursor: null })

const toSummary = ({ due_at, job_id, state }: StateColumns): SyncSummary => {
  const { cursor: _, ...decoded } = Schema.decodeSync(State)(state)
  return { ...decoded, due_at, job_id }
}

interface RecordColumns extends StateColumns {
  /** As JSON; null where the release before wrote last. */
  readonly cursor: string | null
}

const toRecord = ({ cursor, due_at, job_id, state }: RecordColumns): SyncRecord => {
  const decoded = Schema.decodeSync(State)(state)
  return { ...decoded, cursor: cursor === null ? decoded.cursor : JSON.parse(cursor), due_at, job_id }
}

export const layer = Layer.effect(
  ConnectionStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { isOpen, our, sql } = database
    const { announcing } = yield* JobSignal
    const columns = sql.literal(
      `c.connection_id::text AS connection_id, c.provider, c.name, c.config, c.secrets, c.sync_config, c.resources,
      c.connected_at, c.created_by, c.status, c.error, c.revision`
    )
    /** All fields of a state that determine what is due, because a union compares all of its columns. */
    const due = sql.literal("s.workspace_id, s.connection_id, s.resource, s.due_at")
    const named = (workspaceId: WorkspaceId, connectionId: ConnectionId) =>
      sql`c.connection_id = ${connectionId}::uuid AND c.workspace_id = ${workspaceId}::uuid AND ${isOpen(workspaceId)}`
    const ofResource = (workspaceId: WorkspaceId, { connection_id, resource }: ResourceRef) =>
      sql`q.connection_id = ${connection_id}::uuid AND q.resource = ${resource}::text
        AND q.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND ${isOpen(workspaceId)}`

    /** Marks outlive documents that somebody deletes. */
    const isStored = sql`EXISTS (SELECT FROM ${our("documents")} d
      WHERE d.connector_id = q.connection_id AND d.external_id = q.external_id OFFSET 0)`

    /** Adds them to the connection that `place` names, for resources without one. */
    const addStates = (states: ReadonlyArray<SyncRecord>, place: Statement.Fragment) =>
      sql`INSERT INTO ${our("sync_states")}
          (workspace_id, connection_id, resource, job_id, due_at, is_live, state, cursor)
        SELECT c.workspace_id, c.connection_id, n.resource, n.job_id, n.due_at, n.is_live, n.state, n.cursor
        FROM ${place}, unnest(${arrayLiteral(states.map(({ resource }) => resource))}::text[],
          ${arrayLiteral(states.map(({ job_id }) => job_id))}::uuid[],
          ${arrayLiteral(states.map(({ due_at }) => due_at))}::timestamptz[],
          ${arrayLiteral(states.map((state) => isUnderWay(state)))}::boolean[],
          ${arrayLiteral(states.map(written))}::text[],
          ${arrayLiteral(states.map(({ cursor }) => JSON.stringify(cursor)))}::text[])
          AS n(resource, job_id, due_at, is_live, state, cursor)
        ON CONFLICT DO NOTHING`

    const asJson = (value: unknown) => value === undefined ? undefined : JSON.stringify(value)

    const changes = (change: ConnectionChange) =>
      setColumns<ConnectionChange>(sql, "c", {
        name: [change.name, "text"],
        config: [asJson(change.config), "text"],
        secrets: [change.secrets, "text"],
        sync_config: [asJson(change.sync_config), "text"],
        resources: [change.resources && arrayLiteral(change.resources), "text[]"],
        status: [change.status, "text"],
        error: [change.error, "text"],
        revision: [change.revision, "double precision"]
      })

    return ConnectionStore.of({
      insert: (workspaceId, connection, maximum, states = []) =>
        stored(
          sql<{ readonly answer: "inserted" | "full" }>`WITH inserted AS MATERIALIZED (
            SELECT ${our("insert_connection")}(${workspaceId}::uuid, ${maximum}::integer,
              ${connection.connection_id}::uuid, ${connection.provider}::text, ${connection.name}::text,
              ${JSON.stringify(connection.config)}::text, ${connection.secrets}::text,
              ${JSON.stringify(connection.sync_config)}::text, ${arrayLiteral(connection.resources)}::text[],
              ${moment(connection.connected_at)}::timestamptz, ${JSON.stringify(connection.created_by)}::text,
              ${connection.status}::text, ${connection.error}::text,
              ${connection.revision}::double precision) AS answer
            ), added AS (${
            addStates(
              states,
              sql`(SELECT ${workspaceId}::uuid, ${connection.connection_id}::uuid FROM inserted WHERE answer = 'inserted')
                AS c(workspace_id, connection_id)`
            )
          })
            SELECT answer FROM inserted`,
          ([row]) => row!.answer
        ),

      find: (workspaceId, connectionId) =>
        stored(
          sql<ConnectionColumns>`SELECT ${columns} FROM ${our("connections")} c
            WHERE ${named(workspaceId, connectionId)}`,
          first(toConnection)
        ),

      list: (workspaceId) =>
        stored(
          sql<ConnectionColumns>`SELECT ${columns} FROM ${our("connections")} c
            WHERE c.workspace_id = ${workspaceId}::uuid AND ${isOpen(workspaceId)}
            ORDER BY c.connected_at DESC, c.connection_id DESC`,
          (rows) => rows.map(toConnection)
        ),

      // Waits for what is being admitted: once a pause has answered, nothing more comes in.
      update: (workspaceId, connectionId, change, from, states = []) =>
        stored(
          sql<ConnectionColumns>`WITH locked AS MATERIALIZED (
              SELECT FROM ${our("counters")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE
            ), updated AS (
              UPDATE ${our("connections")} c SET ${changes(change)}
              FROM locked WHERE ${named(workspaceId, connectionId)}
                AND c.status = coalesce(${from.status ?? null}::text, c.status)
                AND c.revision = coalesce(${from.revision ?? null}::double precision, c.revision)
                AND c.sync_config = coalesce(${asJson(from.sync_config) ?? null}::text, c.sync_config)
              RETURNING c.*
            ), origin AS (
              UPDATE ${our("connectors")} o SET is_active = u.status <> 'paused' FROM updated u
                WHERE o.workspace_id = u.workspace_id AND o.connector_id = u.connection_id
            ), added AS (${addStates(states, sql`updated c`)})
            SELECT ${columns} FROM updated c`,
          first(toConnection)
        ),

      reseal: (workspaceId, connectionId, before, after) =>
        stored(
          sql<{ readonly connection_id: ConnectionId }>`WITH locked AS MATERIALIZED (
              SELECT FROM ${our("counters")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE
            )
            UPDATE ${our("connections")} c SET secrets = ${after}
              FROM locked WHERE ${named(workspaceId, connectionId)} AND c.secrets = ${before}
              RETURNING c.connection_id`,
          (rows) => rows.length > 0
        ),

      remove: (workspaceId, connectionId, deletion) =>
        announcing(stored(
          sql<{ readonly removed: boolean }>`WITH gone AS MATERIALIZED (
              SELECT ${our("remove_connection")}(${workspaceId}::uuid, ${connectionId}::uuid) AS removed
            ), queued AS MATERIALIZED (
              SELECT ${our("enqueue")}(d.job, NULL) FROM gone, (
                SELECT ${deletion === undefined ? null : JSON.stringify(deletion)}::text::jsonb AS job
              ) d WHERE gone.removed AND d.job IS NOT NULL
            ) SELECT gone.removed FROM gone LEFT JOIN queued ON true`,
          ([row]) => row?.removed === true
        )),

      states: (workspaceId, connectionId) =>
        stored(
          sql<StateColumns>`SELECT q.job_id::text AS job_id, q.due_at, q.state FROM ${our("sync_states")} q
            WHERE q.connection_id = ${connectionId}::uuid
              AND q.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND ${isOpen(workspaceId)}
            ORDER BY q.resource`,
          (rows) => rows.map(toSummary)
        ),

      findState: (workspaceId, ref) =>
        stored(
          sql<RecordColumns>`SELECT q.job_id::text AS job_id, q.due_at, q.state, q.cursor
            FROM ${our("sync_states")} q WHERE ${ofResource(workspaceId, ref)}`,
          first(toRecord)
        ),

      saveState: (workspaceId, state, holder, follow, fencingToken) =>
        announcing(stored(
          sql<{ readonly saved: boolean }>`WITH ${heldBy(database, fencingToken)} SELECT ${
            our("save_sync")
          }(${workspaceId}::uuid,
            ${state.connection_id}::uuid, ${state.resource}::text, ${holder}::uuid, ${state.job_id}::uuid,
            ${moment(state.due_at)}::timestamptz, ${isUnderWay(state)}::boolean,
            ${written(state)}::text, ${JSON.stringify(state.cursor)}::text,
            ${follow === null ? null : JSON.stringify(follow)}::text::jsonb) AS saved
            WHERE EXISTS (SELECT FROM held)`,
          ([row]) => row?.saved === true
        )),

      // The offsets force an index lookup for each of these, whatever the planner's statistics.
      due: (now, limit) =>
        stored(
          sql<ResourceRef & { readonly workspace_id: WorkspaceId }>`
            SELECT q.workspace_id::text AS workspace_id, q.connection_id::text AS connection_id, q.resource
            FROM (
              SELECT ${due} FROM ${our("sync_states")} s
                WHERE s.due_at >= '-infinity' AND s.due_at <= ${moment(now)}::timestamptz
              UNION
              SELECT ${due} FROM ${our("sync_states")} s WHERE s.is_live AND s.job_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM ${our("jobs")} j
                  WHERE j.job_id = s.job_id AND j.status IN ('queued', 'running') OFFSET 0)
            ) q
            WHERE EXISTS (
                SELECT FROM ${our("connections")} c WHERE c.connection_id = q.connection_id AND c.status = 'active'
                OFFSET 0)
              AND EXISTS (
                SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = q.workspace_id AND NOT w.suspended OFFSET 0)
            ORDER BY q.due_at LIMIT ${limit}::integer`,
          (rows) => rows
        ),

      noteDeletions: (workspaceId, ref, { gone, there }, fencingToken) =>
        execute(
          // The lock blocks a concurrent removal of the connection.
          sql`WITH ${heldBy(database, fencingToken)}, back AS (
              DELETE FROM ${our("source_deletions")} WHERE EXISTS (SELECT FROM held) AND ctid = ANY (ARRAY(
                SELECT q.ctid FROM unnest(${arrayLiteral(there)}::text[]) AS t(external_id) CROSS JOIN LATERAL (
                  SELECT q.ctid FROM ${our("source_deletions")} q
                    WHERE ${ofResource(workspaceId, ref)} AND q.external_id = t.external_id LIMIT 1
                ) q))
            )
            INSERT INTO ${our("source_deletions")} (workspace_id, connection_id, resource, external_id)
            SELECT c.workspace_id, c.connection_id, ${ref.resource}::text, d.external_id
            FROM ${our("connections")} c JOIN ${our("documents")} d ON d.connector_id = c.connection_id
              AND d.external_id = ANY (${arrayLiteral(gone)}::text[])
            WHERE ${named(workspaceId, ref.connection_id)} AND EXISTS (SELECT FROM held)
            FOR KEY SHARE OF c
            ON CONFLICT DO NOTHING`
        ),

      deletions: (workspaceId, ref, limit) =>
        stored(
          sql<{ readonly external_id: string }>`SELECT q.external_id FROM ${our("source_deletions")} q
            WHERE ${ofResource(workspaceId, ref)} AND ${isStored} ORDER BY q.external_id ${limitTo(sql, limit)}`,
          (rows) => rows.map(({ external_id }) => external_id)
        ),

      countDeletions: (workspaceId, ref) =>
        stored(
          sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM ${our("source_deletions")} q
            WHERE ${ofResource(workspaceId, ref)} AND ${isStored}
              AND q.resource >= ${ref.resource}::text AND q.resource <= ${ref.resource}::text`,
          ([row]) => row?.count ?? 0
        )
    })
  })
)
