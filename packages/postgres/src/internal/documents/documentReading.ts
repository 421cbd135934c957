/** The methods of `DocumentStore` that the context is read by, page after page. */
import type { DocumentId } from "@tributary/core/model/Id"
import type { DocumentStore, IndexedDocument, Passage } from "@tributary/core/ports/DocumentStore"
import { Effect } from "effect"
import { arrayLiteral } from "../arrayLiteral.ts"
import { Database } from "../Database.ts"
import { type DocumentColumns, documentColumns, toDocument } from "./documentRows.ts"
import { indexedChanges } from "./indexedChanges.ts"
import { moment } from "../moment.ts"
import { LEAST_ID, limitTo } from "../page.ts"
import { stored } from "../storageErrors.ts"

/** The character after "/", by which prefixes end. */
const AFTER_SLASH = "0"

interface PassageColumns extends DocumentColumns {
  readonly change_seq: number
  readonly ordinal: number
  readonly text: string | null
  readonly start: number
  readonly payload: string | null
}

/** The payload is returned in separate rows, before the chunks. */
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
  const { isOpen, our, sql } = database
  const columns = documentColumns(database)
  const methods: Pick<
    DocumentStore["Service"],
    "externalIds" | "count" | "changes" | "scan" | "passages"
  > = {
    externalIds: (workspaceId, connectorId, { after, limit, prefix }) =>
      stored(
        sql<Pick<IndexedDocument, "external_id" | "timestamp" | "ends_at">>`
          SELECT d.external_id, d.timestamp, d.ends_at
          FROM ${our("documents_by_external_id")}(${connectorId}::uuid, ${prefix}::text,
            ${prefix.slice(0, -1) + AFTER_SLASH}::text, ${after ?? ""}::text, ${limit}::integer) d
          WHERE d.workspace_id = ${workspaceId}::uuid AND ${isOpen(workspaceId)}
          ORDER BY d.external_id`,
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
            AND ${isOpen(workspaceId)}`,
        ([row]) => row?.count ?? 0
      ),

    changes: (workspaceId, since, limit) =>
      indexedChanges(
        database,
        sql`SELECT l.document_id AS changed_id, l.change_seq AS changed_at,
            row_number() OVER (ORDER BY l.change_seq) AS number, s.*
          FROM (
            SELECT * FROM ${our("changes_since")}(${workspaceId}::uuid, ${since}::bigint, ${limit}::integer)
              WHERE ${isOpen(workspaceId)} ORDER BY change_seq ${limitTo(sql, limit)}
          ) l LEFT JOIN LATERAL (
            SELECT * FROM ${our("documents")} q WHERE q.document_id = l.document_id AND NOT l.deleted LIMIT 1
          ) s ON true`
      ),

    scan: (workspaceId, after, limit) => {
      const changes = indexedChanges(
        database,
        sql`SELECT s.document_id AS changed_id, s.change_seq AS changed_at,
            row_number() OVER (ORDER BY s.timestamp, s.document_id) AS number, s.*
          FROM ${our("documents_by_time")}(${workspaceId}::uuid,
            ${moment(after?.timestamp ?? null) ?? "-infinity"}::timestamptz,
            ${after?.document_id ?? LEAST_ID}::uuid, ${limit}::integer) s
          WHERE ${isOpen(workspaceId)}`
      )
      return Effect.map(changes, (found) => found.flatMap(({ document }) => document ?? []))
    },

    // Forces an index lookup for each row, whatever the planner's statistics.
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
                  AND q.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND ${isOpen(workspaceId)} LIMIT 1
            ) q
          )
          SELECT ${columns}, d.ordinal, coalesce(c.text, '') AS text, coalesce(c.start, 0) AS start,
            NULL::text AS payload, d.place, 0 AS part
          FROM d LEFT JOIN LATERAL (
            SELECT * FROM ${our("chunks")} q
              WHERE q.document_id = d.document_id AND q.ordinal = d.ordinal LIMIT 1
          ) c ON true
          WHERE c.ordinal IS NOT NULL OR (d.ordinal = 0 AND NOT EXISTS (
            SELECT FROM ${our("chunks")} e WHERE e.document_id = d.document_id OFFSET 0))
          UNION ALL
          SELECT ${columns}, 0, NULL, 0, p.text, 0, p.slice
          FROM (SELECT DISTINCT ON (document_id) * FROM d WHERE ${withPayload}::boolean) d
          CROSS JOIN LATERAL (
            SELECT q.slice, q.text FROM ${our("payloads")} q WHERE q.document_id = d.document_id ORDER BY q.slice
          ) p
          ORDER BY place, part`,
        toPassages
      )
  }
  return methods
})
