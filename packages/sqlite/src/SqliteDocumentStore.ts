/** Documents and their events in SQLite. */
import { hasLongText } from "@tributary/core/longText"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { type DocumentContent, DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { Stored } from "@tributary/core/ports/Storage"
import { inSlices } from "@tributary/core/Slices"
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import { Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { isOpen } from "./internal/isOpen.ts"
import { packed } from "./internal/packedTexts.ts"
import { readListed } from "./internal/readListed.ts"
import { timed } from "./internal/timed.ts"
import { type DocumentColumns, toDocument } from "./rows/documentRows.ts"
import { date } from "./rows/Columns.ts"
import type { SqliteConnection } from "./internal/SqliteConnection.ts"
import { listByTime, listChanges } from "./reads/changes.ts"
import { documentContent, type DocumentKey, findDocument, findPassage } from "./reads/content.ts"
import { endOf } from "./reads/counts.ts"
import { listEvents, listEventsOf } from "./reads/events.ts"

const PRUNED_AT_ONCE = 10_000

/** A longer text, and a longer list, is read in the other thread. */
const LONG_TEXT_BYTES = 500_000
const LONG_LIST = 1_000

export const layer = Layer.effect(
  DocumentStore,
  Effect.gen(function*() {
    const { announcing, read, readLong, write } = yield* Database
    const readAtOnce = <A>(workspaceId: WorkspaceId, absent: A, query: (db: SqliteConnection) => A) =>
      read((db) => db.transaction("BEGIN", () => isOpen(db, workspaceId) ? query(db) : absent))

    const find = (workspaceId: WorkspaceId, key: DocumentKey): Stored<Option.Option<DocumentContent>> =>
      Effect.flatMap(
        readAtOnce(workspaceId, null, (db) => {
          const row = findDocument(db, workspaceId, key)
          if (row === undefined) return null
          return Math.max(row.text_bytes, row.size) > LONG_TEXT_BYTES ? "long" : documentContent(db, row)
        }),
        (found) =>
          found === "long"
            ? Effect.map(readLong("readContent", workspaceId, key), Option.fromNullOr)
            : Effect.succeed(Option.fromNullOr(found))
      )

    return DocumentStore.of({
      admit: (workspaceId, origin, items, options) =>
        announcing(timed(options.fencingToken, (fencingToken) =>
          hasLongText(items)
            ? Effect.flatMap(
              inSlices(packed(items)),
              (long) => write("admitPacked", workspaceId, origin, long.items, long.texts, { ...options, fencingToken })
            )
            : write("admit", workspaceId, origin, items, { ...options, fencingToken }))),

      remove: (workspaceId, selection, now, follow, fencingToken) =>
        announcing(timed(fencingToken, (at) => write("remove", workspaceId, selection, now, follow, at))),

      find: (workspaceId, document_id) => find(workspaceId, { document_id }),

      findByExternalId: (workspaceId, connector_id, external_id) => find(workspaceId, { connector_id, external_id }),

      sizes: (workspaceId, connectorId, externalIds) =>
        readAtOnce(workspaceId, new Map<string, number>(), (db) =>
          new Map(
            db.all<Pick<DocumentColumns, "external_id" | "size">>(
              `SELECT external_id, size FROM documents WHERE connector_id = ?1 AND +workspace_id = ?2
                AND external_id IN (SELECT value FROM json_each(?3))`,
              connectorId,
              workspaceId,
              JSON.stringify(externalIds)
            ).map(({ external_id, size }) => [external_id, size])
          )),

      list: (workspaceId, connectorId, { after, externalId, limit }) =>
        readAtOnce(workspaceId, [], (db) =>
          db.all<DocumentColumns>(
            `SELECT * FROM documents WHERE workspace_id = ?1 AND connector_id = ?2
              ${externalId === null ? "AND ?3 IS NULL" : "AND external_id = ?3"}
              ${after === null ? "AND ?4 IS NULL" : "AND document_id < ?4"} ORDER BY document_id DESC LIMIT ?5`,
            workspaceId,
            connectorId,
            externalId,
            after,
            limit
          ).map(toDocument)),

      browse: (workspaceId, filter, page) => readLong("browseDocuments", workspaceId, filter, page),

      matching: (workspaceId, filter, limit) => readLong("matchingDocuments", workspaceId, filter, limit),

      countMatching: (workspaceId, filter, limit) => readLong("countMatchingDocuments", workspaceId, filter, limit),

      externalIds: (workspaceId, connectorId, { after, limit, prefix }) =>
        readAtOnce(workspaceId, [], (db) =>
          db.all<Pick<DocumentColumns, "external_id" | "timestamp" | "ends_at">>(
            `SELECT external_id, timestamp, ends_at FROM documents WHERE connector_id = ?1 AND +workspace_id = ?2
              AND external_id ${after === null ? ">=" : ">"} ?3 AND external_id < ?4 ORDER BY external_id LIMIT ?5`,
            connectorId,
            workspaceId,
            after ?? prefix,
            endOf(prefix),
            limit
          ).map(({ ends_at, external_id, timestamp }) => ({
            external_id,
            timestamp: new Date(timestamp),
            ends_at: date(ends_at)
          }))),

      count: (workspaceId, connectorId, range) => readLong("countDocuments", workspaceId, connectorId, range),

      changes: (workspaceId, since, limit) =>
        readListed(
          read,
          limit > LONG_LIST
            ? readLong("listChanges", workspaceId, since, limit)
            : read((db) => listChanges(db, workspaceId, since, limit))
        ),

      scan: (workspaceId, after, limit) =>
        Effect.map(
          readListed(read, read((db) => listByTime(db, workspaceId, after, limit))),
          (changes) => changes.flatMap(({ document }) => document ?? [])
        ),

      passages: (workspaceId, refs, withPayload) =>
        readAtOnce(
          workspaceId,
          [],
          (db) => refs.flatMap((ref) => findPassage(db, workspaceId, ref, withPayload) ?? [])
        ),

      meters: (workspaceId) =>
        read((db) =>
          db.get<{ readonly documents: number; readonly storage: number }>(
            "SELECT documents, storage FROM counters WHERE workspace_id = ?",
            workspaceId
          ) ?? { documents: 0, storage: 0 }
        ),

      events: (workspaceId, page) =>
        page.kind === null && page.source === null
          ? read((db) => listEvents(db, workspaceId, page))
          : readLong("listEvents", workspaceId, page),

      eventsOf: (workspaceId, documentId, page) => read((db) => listEventsOf(db, workspaceId, documentId, page)),

      pruneEvents: (before) => repeatSteps(PRUNED_AT_ONCE, write("pruneEvents", before, PRUNED_AT_ONCE)),

      pruneTombstones: repeatSteps(PRUNED_AT_ONCE, write("pruneTombstones", PRUNED_AT_ONCE))
    })
  })
)
