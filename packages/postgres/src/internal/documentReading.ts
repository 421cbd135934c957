/** The methods of `DocumentStore` that the context and the event log are read by, page after page. */
import type { DocumentId } from "@tributary/core/model/Id"
import type { DocumentStore, EventRecord, IndexedDocument, Passage } from "@tributary/core/ports/DocumentStore"
import { type Context, Effect } from "effect"
import { arrayLiteral } from "./arrayLiteral.ts"
import { Database } from "./Database.ts"
import { type DocumentColumns, documentColumns, toDocument } from "./documentRows.ts"
import { indexedChanges } from "./indexedChanges.ts"
import { moment } from "./moment.ts"
import { stored } from "./storageErrors.ts"

/** The character after "/", by which prefixes end. */
const AFTER_SLASH = "0"

interface EventColumns extends Omit<EventRecord, "metadata"> {
  readonly metadata: string
}

interface PassageColumns extends DocumentColumns {
  readonly change_seq: number
  readonly ordinal: number
  readonly text: string | null
  readonly start: number
  readonly payload: string | null
}

/** A payload comes in rows of its own, before the passages. */
const toPassages = (rows: ReadonlyArray<PassageColumns>): ReadonlyArray<Passage> => {
  const payloads = new Map<DocumentId, string>()
  const found: Array<Passage> = []
  for (const row of rows) {
    const { change_seq, document_id, ordinal, payload, start, text } = row
    if (payload !== null) payloads.set(document_id, (payloads.get(document_id) ?? "") + payload)
    if (text === null) continue
    const document = toDocument(row)
    found.push({ document_id, change_seq, ordinal, document, text, start, payload: payloads.get(document_id) ?? null })
  }
  return found
}

export const documentReading = Effect.gen(function*() {
  const database = yield* Database
  const { our, sql } = database
  const columns = documentColumns(database)
  const open = (workspaceId: string) =>
    sql`EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = ${workspaceId}::uuid)`

  const methods: Pick<
    Context.Service.Shape<typeof DocumentStore>,
    "externalIds" | "count" | "changes" | "scan" | "passages" | "events"
  > = {
    externalIds: (workspaceId, connectorId, { after, limit, prefix }) =>
      stored(
        sql<Pick<IndexedDocument, "external_id" | "timestamp" | "ends_at">>`
          SELECT d.external_id, d.timestamp, d.ends_at FROM ${our("documents")} d
          WHERE d.connector_id = ${connectorId}::uuid AND d.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid
            AND d.external_id >= ${after ?? prefix}::text
            AND (${after}::text IS NULL OR d.external_id > ${after}::text)
            AND d.external_id < ${prefix.slice(0, -1) + AFTER_SLASH}::text AND ${open(workspaceId)}
          ORDER BY d.external_id LIMIT ${limit}::integer`,
        (rows) => rows
      ),

    count: (workspaceId, connectorId, { except, prefix }) =>
      stored(
        sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM ${our("documents")} d
          WHERE d.connector_id = ${connectorId}::uuid AND d.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid
            AND d.external_id >= ${prefix}::text AND d.external_id < ${prefix.slice(0, -1) + AFTER_SLASH}::text
            AND NOT EXISTS (
              SELECT FROM unnest(${arrayLiteral(except)}::text[]) o WHERE starts_with(d.external_id, o))
            AND ${open(workspaceId)}`,
        ([row]) => row?.count ?? 0
      ),

    changes: (workspaceId, since, limit) => {
      const after = sql`q.workspace_id = ${workspaceId}::uuid AND q.change_seq > ${since}::bigint
        AND ${open(workspaceId)} ORDER BY q.change_seq LIMIT ${limit}::integer`
      return indexedChanges(
        database,
        sql`SELECT l.changed_id, l.changed_at, row_number() OVER (ORDER BY l.changed_at) AS number, s.*
          FROM (
            (SELECT q.document_id AS changed_id, q.change_seq AS changed_at, false AS deleted
            FROM ${our("documents")} q WHERE ${after})
            UNION ALL
            (SELECT q.document_id, q.change_seq, true FROM ${our("tombstones")} q WHERE ${after})
            ORDER BY changed_at LIMIT ${limit}::integer
          ) l LEFT JOIN ${our("documents")} s ON s.document_id = l.changed_id AND NOT l.deleted`
      )
    },

    scan: (workspaceId, after, limit) => {
      const timestamp = after?.timestamp ?? null
      const changes = indexedChanges(
        database,
        sql`SELECT s.document_id AS changed_id, s.change_seq AS changed_at,
            row_number() OVER (ORDER BY s.timestamp, s.document_id) AS number, s.*
          FROM ${our("documents")} s
          WHERE s.workspace_id = ${workspaceId}::uuid AND ${open(workspaceId)}
            AND (${moment(timestamp)}::timestamptz IS NULL OR
              (s.timestamp, s.document_id) > (${moment(timestamp)}::timestamptz, ${after?.document_id ?? null}::uuid))
          ORDER BY s.timestamp, s.document_id LIMIT ${limit}::integer`
      )
      return Effect.map(changes, (found) => found.flatMap(({ document }) => document ?? []))
    },

    passages: (workspaceId, refs, withPayload) =>
      stored(
        sql<PassageColumns>`WITH named AS (
            SELECT * FROM unnest(${arrayLiteral(refs.map(({ document_id }) => document_id))}::uuid[],
              ${arrayLiteral(refs.map(({ change_seq }) => change_seq))}::bigint[],
              ${arrayLiteral(refs.map(({ ordinal }) => ordinal))}::integer[])
              WITH ORDINALITY AS n(document_id, change_seq, ordinal, place)
          ), d AS (
            SELECT q.*, n.ordinal, n.place FROM named n CROSS JOIN LATERAL (
              SELECT * FROM ${our("documents")} q
                WHERE q.document_id = n.document_id AND q.change_seq = n.change_seq
                  AND q.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND ${open(workspaceId)} LIMIT 1
            ) q
          )
          SELECT ${columns}, d.ordinal, coalesce(c.text, '') AS text, coalesce(c.start, 0) AS start,
            NULL::text AS payload, d.place, 0 AS part
          FROM d LEFT JOIN ${our("chunks")} c
            ON c.document_id = d.document_id AND c.ordinal = d.ordinal
          WHERE c.ordinal IS NOT NULL OR (d.ordinal = 0 AND NOT EXISTS (
            SELECT FROM ${our("chunks")} e WHERE e.document_id = d.document_id))
          UNION ALL
          SELECT ${columns}, 0, NULL, 0, p.text, 0, p.slice
          FROM (SELECT DISTINCT ON (document_id) * FROM d WHERE ${withPayload}::boolean) d
          JOIN ${our("payloads")} p ON p.document_id = d.document_id
          ORDER BY place, part`,
        toPassages
      ),

    events: (workspaceId, { kind, limit, since, source }) =>
      stored(
        sql<EventColumns>`SELECT e.event_id::text AS event_id, e.type, e.source, e.kind, e.external_id,
            e.document_id::text AS document_id, e.timestamp, e.created_at, e.metadata,
            e.event_seq::double precision AS event_seq
          FROM ${our("events")} e
          WHERE e.workspace_id = ${workspaceId}::uuid AND e.event_seq > ${since}::bigint AND ${open(workspaceId)}
            AND (${source}::text IS NULL OR e.source = ${source}::text OR starts_with(e.source, ${source}::text || ':'))
            AND (${kind}::text IS NULL OR e.kind = ${kind}::text)
          ORDER BY e.event_seq LIMIT ${limit}::integer`,
        (rows) => rows.map(({ metadata, ...event }) => ({ ...event, metadata: JSON.parse(metadata) }))
      )
  }
  return methods
})
