/** Documents and their events on Postgres. */
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "./internal/Database.ts"
import { documentBrowsing } from "./internal/documents/documentBrowsing.ts"
import { documentChanges } from "./internal/documents/documentChanges.ts"
import { documentReading } from "./internal/documents/documentReading.ts"
import {
  contentOf,
  type DocumentColumns,
  documentColumns,
  toContents,
  toDocument
} from "./internal/documents/documentRows.ts"
import { eventReading } from "./internal/documents/eventReading.ts"
import { GREATEST_ID } from "./internal/page.ts"
import { stored } from "./internal/storageErrors.ts"

export const layer = Layer.effect(
  DocumentStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { isOpen, our, sql } = database
    const documents = our("documents")
    const columns = documentColumns(database)
    /** Keeps out the indexes that begin with the workspace: the document's own key finds it. */
    const ofOpen = (workspaceId: string) =>
      sql`q.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND ${isOpen(workspaceId)}`
    const content = (found: Statement.Fragment) =>
      stored(contentOf(database, found), (rows) => Option.fromUndefinedOr(toContents(rows)[0]))

    return DocumentStore.of({
      ...yield* documentChanges,
      ...yield* documentReading,
      ...yield* documentBrowsing,
      ...yield* eventReading,

      find: (workspaceId, documentId) =>
        content(sql`SELECT q.* FROM ${documents} q
          WHERE q.document_id = ${documentId}::uuid AND ${ofOpen(workspaceId)}`),

      findByExternalId: (workspaceId, connectorId, externalId) =>
        content(sql`SELECT q.* FROM ${documents} q
          WHERE q.connector_id = ${connectorId}::uuid AND q.external_id = ${externalId}::text
            AND ${ofOpen(workspaceId)}`),

      sizes: (workspaceId, connectorId, externalIds) =>
        stored(
          sql<{ readonly external_id: string; readonly size: number }>`
            SELECT q.external_id, q.size::double precision AS size FROM ${documents} q
            WHERE q.connector_id = ${connectorId}::uuid AND q.external_id = ANY(${[...externalIds]}::text[])
              AND ${ofOpen(workspaceId)}`,
          (rows) => new Map(rows.map(({ external_id, size }) => [external_id, size]))
        ),

      list: (workspaceId, connectorId, { after, externalId, limit }) =>
        stored(
          externalId === null
            ? sql<DocumentColumns>`SELECT ${columns} FROM ${our("documents_of_connector")}(${workspaceId}::uuid,
                ${connectorId}::uuid, ${after ?? GREATEST_ID}::uuid, ${limit}::integer) d
              WHERE ${isOpen(workspaceId)} ORDER BY d.document_id DESC`
            : sql<DocumentColumns>`SELECT ${columns} FROM ${documents} d
              WHERE d.connector_id = ${connectorId}::uuid AND d.external_id = ${externalId}::text
                AND d.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND ${isOpen(workspaceId)}
                AND d.document_id < ${after ?? GREATEST_ID}::uuid
              LIMIT ${limit}::integer`,
          (rows) => rows.map(toDocument)
        ),

      meters: (workspaceId) =>
        stored(
          sql<{ readonly documents: number; readonly storage: number }>`
            SELECT documents::double precision AS documents, storage::double precision AS storage
            FROM ${our("counters")} WHERE workspace_id = ${workspaceId}::uuid`,
          ([meters]) => meters ?? { documents: 0, storage: 0 }
        )
    })
  })
)
