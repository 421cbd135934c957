/** The event log, read page after page. */
import { parseJson } from "@tributary/core/model/parseJson"
import type { DocumentStore, EventRecord } from "@tributary/core/ports/DocumentStore"
import { Effect } from "effect"
import type { Columns } from "../rows/Columns.ts"
import { Database } from "../Database.ts"
import { stored } from "../storageErrors.ts"

type EventColumns = Columns<EventRecord, "metadata">

const toEvent = ({ metadata, ...event }: EventColumns): EventRecord => ({ ...event, metadata: parseJson(metadata) })

export const eventReading = Effect.gen(function*() {
  const { isOpen, our, sql } = yield* Database
  const columns = sql.literal(`e.event_id::text AS event_id, e.type, e.source, e.kind, e.external_id,
    e.document_id::text AS document_id, e.timestamp, e.created_at, e.metadata,
    e.event_seq::double precision AS event_seq`)

  const methods: Pick<DocumentStore["Service"], "events" | "eventsOf"> = {
    events: (workspaceId, { kind, limit, since, source }) =>
      stored(
        sql<EventColumns>`SELECT ${columns}
          FROM ${our("events_since")}(${workspaceId}::uuid, ${source}::text, ${kind}::text, ${since}::bigint,
            ${limit}::integer) e
          WHERE ${isOpen(workspaceId)}
          ORDER BY e.event_seq LIMIT ${limit}::integer`,
        (rows) => rows.map(toEvent)
      ),

    eventsOf: (workspaceId, documentId, { limit, since }) =>
      stored(
        sql<EventColumns>`SELECT ${columns} FROM ${our("events")} e
          WHERE e.workspace_id = ${workspaceId}::uuid AND e.document_id = ${documentId}::uuid
            AND e.event_seq > ${since}::bigint
            AND ${isOpen(workspaceId)}
          ORDER BY e.workspace_id, e.document_id, e.event_seq LIMIT ${limit}::integer`,
        (rows) => rows.map(toEvent)
      )
  }
  return methods
})
