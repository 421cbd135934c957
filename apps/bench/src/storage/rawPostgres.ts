/** The baseline of Postgres: inserts the same rows into the same tables, by one statement. */
import type { TextItem } from "@tributary/core/model/Ingest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Batch, risingUuid } from "./batches.ts"
import { SCHEMA } from "./databases.ts"
import type { Place } from "./places.ts"

const TABLES = ["documents", "chunks", "events"]

export const makeRawTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`CREATE SCHEMA "${SCHEMA}_raw"`)
  for (const table of TABLES) {
    yield* sql.unsafe(`CREATE TABLE "${SCHEMA}_raw".${table} (LIKE "${SCHEMA}".${table} INCLUDING ALL)`)
  }
  yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA "${SCHEMA}_raw" CASCADE`)))
})

let sequence = 0

export const rawInsert = Effect.fnUntraced(function*({ connectorId, workspace }: Place, { chunks, items }: Batch) {
  const sql = yield* SqlClient.SqlClient
  const raw = (table: string) => sql(`${SCHEMA}_raw.${table}`)
  const first = sequence
  sequence += items.length
  const ids = items.map(risingUuid)
  const eventIds = items.map(risingUuid)
  const column = <A>(value: (item: TextItem) => A) => items.map(value)
  const ofChunk = <A>(value: (chunk: Batch["chunks"][number]) => A) => chunks.map(value)
  const [owners, texts] = [ofChunk(({ item }) => ids[item]!), ofChunk(({ text }) => text)]
  const [ordinals, starts] = [ofChunk(({ ordinal }) => ordinal), ofChunk(({ start }) => start)]
  const now = new Date()
  yield* sql`WITH rows AS (
      SELECT * FROM unnest(${ids}::uuid[], ${eventIds}::uuid[], ${column(({ external_id }) => external_id!)}::text[],
        ${column(({ title }) => title!)}::text[], ${column(({ text }) => text.length)}::bigint[])
        WITH ORDINALITY AS r(document_id, event_id, external_id, title, size, at)
    ), documents AS (
      INSERT INTO ${raw("documents")} (workspace_id, document_id, connector_id, external_id, change_seq, source, kind,
        title, url, size, text_bytes, timestamp, ends_at, metadata, fingerprint, created_at, updated_at)
      SELECT ${workspace.workspace_id}::uuid, document_id, ${connectorId}::uuid, external_id, ${first}::bigint + at,
        'custom:bench', 'custom', title, NULL, size, size, ${now}::timestamptz, NULL, '{}',
        repeat('0123456789abcdef', 4), ${now}::timestamptz, ${now}::timestamptz FROM rows
    ), chunks AS (
      INSERT INTO ${raw("chunks")}
        SELECT * FROM unnest(${owners}::uuid[], ${ordinals}::integer[], ${starts}::integer[], ${texts}::text[])
    )
    INSERT INTO ${raw("events")} (workspace_id, event_seq, event_id, type, source, kind, external_id, document_id,
      timestamp, created_at, metadata)
    SELECT ${workspace.workspace_id}::uuid, ${first}::bigint + at, event_id, 'document.created', 'custom:bench',
      'custom', external_id, document_id, ${now}::timestamptz, ${now}::timestamptz, '{}' FROM rows`
})
