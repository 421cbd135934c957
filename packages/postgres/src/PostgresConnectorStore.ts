/** Custom connectors on Postgres. */
import type { Connector } from "@tributary/core/model/Connector"
import { parseJson } from "@tributary/core/model/parseJson"
import { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import { Effect, Layer } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { arrayLiteral } from "./internal/arrayLiteral.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { JobSignal } from "./internal/JobSignal.ts"
import { moment } from "./internal/moment.ts"
import { stored } from "./internal/storageErrors.ts"

type ConnectorColumns = Columns<Connector, "created_by" | "metadata">

const toConnector = ({ created_by, metadata, ...fields }: ConnectorColumns): Connector => ({
  ...fields,
  created_by: JSON.parse(created_by),
  metadata: parseJson(metadata)
})

const json = (value: unknown): string | null => value === undefined ? null : JSON.stringify(value)

export const layer = Layer.effect(
  ConnectorStore,
  Effect.gen(function*() {
    const { isOpen, our, sql } = yield* Database
    const { announcing } = yield* JobSignal
    const columns = sql.literal(
      `c.connector_id::text AS connector_id, c.name, c.source_name, c.created_at, c.created_by,
      c.is_active, c.accepted_kinds, c.metadata`
    )
    // Connections have origins of documents in the same table, with a colon in their source names.
    const custom = sql.literal("strpos(c.source_name, ':') = 0")
    return ConnectorStore.of({
      insert: (workspaceId, connector, maximum) =>
        stored(
          sql<{ readonly answer: "inserted" | "name_taken" | "full" }>`
            SELECT ${our("insert_connector")}(${workspaceId}::uuid, ${maximum}::integer,
              ${connector.connector_id}::uuid,
              ${connector.name}::text, ${connector.source_name}::text, ${moment(connector.created_at)}::timestamptz,
              ${JSON.stringify(connector.created_by)}::text, ${connector.is_active}::boolean,
              ${arrayLiteral(connector.accepted_kinds)}::text[],
              ${JSON.stringify(connector.metadata)}::text) AS answer`,
          ([row]) => row!.answer
        ),

      find: (workspaceId, connectorId) =>
        stored(
          sql<ConnectorColumns>`SELECT ${columns} FROM ${our("connectors")} c
            WHERE c.workspace_id = ${workspaceId}::uuid AND c.connector_id = ${connectorId}::uuid
              AND ${custom} AND ${isOpen(workspaceId)}`,
          first(toConnector)
        ),

      list: (workspaceId, includeInactive) =>
        stored(
          sql<ConnectorColumns>`SELECT ${columns} FROM ${our("connectors")} c
            WHERE c.workspace_id = ${workspaceId}::uuid AND (c.is_active OR ${includeInactive}::boolean)
              AND ${custom} AND ${isOpen(workspaceId)}
            ORDER BY c.created_at DESC, c.connector_id DESC`,
          (rows) => rows.map(toConnector)
        ),

      // Waits for ingest that is under way: once a deactivation has answered, nothing more comes in.
      update: (workspaceId, connectorId, { accepted_kinds, is_active, metadata, name }, deletion) =>
        announcing(stored(
          sql<ConnectorColumns>`WITH locked AS MATERIALIZED (
              SELECT change_seq FROM ${our("counters")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE
            ), updated AS (
              UPDATE ${our("connectors")} c SET
                name = coalesce(${name ?? null}::text, c.name),
                is_active = coalesce(${is_active ?? null}::boolean, c.is_active),
                accepted_kinds = coalesce(
                  ${accepted_kinds === undefined ? null : arrayLiteral(accepted_kinds)}::text[], c.accepted_kinds),
                metadata = coalesce(${json(metadata)}::text, c.metadata)
              FROM locked WHERE c.workspace_id = ${workspaceId}::uuid AND c.connector_id = ${connectorId}::uuid
                AND ${custom}
              RETURNING c.*, locked.change_seq
            ), queued AS MATERIALIZED (
              SELECT ${our("enqueue")}(jsonb_set(d.job, '{payload}', to_jsonb(
                ((d.job ->> 'payload')::jsonb || jsonb_build_object('until', u.change_seq))::text)), NULL)
              FROM updated u, (
                SELECT ${deletion === undefined ? null : JSON.stringify(deletion)}::text::jsonb AS job
              ) d WHERE d.job IS NOT NULL
            )
            SELECT ${columns} FROM updated c LEFT JOIN queued ON true`,
          first(toConnector)
        ))
    })
  })
)
