/**
 * Documents per second, beside statements that put the same rows into tables of the same form and nothing else: no
 * limits, no comparison with what is stored, no order of changes, no text to cut or to hash.
 */
import { Ingest, PendingChunks } from "@tributary/core/Ingest"
import { Connectors } from "@tributary/core/Connectors"
import type { TextItem } from "@tributary/core/model/Ingest"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Postgres from "@tributary/postgres/Postgres"
import { cutChunks } from "@tributary/retrieval"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { median } from "../print.ts"
import { LANES, SCHEMA } from "./databases.ts"
import { newPlace, newTexts, type Place } from "./places.ts"

/** The first only warms up. */
const ROUNDS = 4

// No context is built here, so there is none to wait for.
const services = Layer.mergeAll(
  Layer.provide(Ingest.layer, Layer.succeed(PendingChunks, null)),
  Connectors.layer,
  Workspaces.layer
).pipe(
  Layer.provide(Postgres.layer({ schema: SCHEMA })),
  Layer.provide(Extract.layer)
)

const TABLES = ["documents", "chunks", "events"]

const makeRawTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`CREATE SCHEMA "${SCHEMA}_raw"`)
  for (const table of TABLES) {
    yield* sql.unsafe(`CREATE TABLE "${SCHEMA}_raw".${table} (LIKE "${SCHEMA}".${table} INCLUDING ALL)`)
  }
  yield* Effect.addFinalizer(() => Effect.orDie(sql.unsafe(`DROP SCHEMA "${SCHEMA}_raw" CASCADE`)))
})

let sequence = 0

/** In the order of an index, as ours are. */
const risingUuid = (): string => {
  const millis = Date.now().toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

/** Chunks as they are stored, cut before anything is timed. */
const chunkRows = (items: ReadonlyArray<TextItem>) =>
  items.flatMap(({ text }, item) => {
    let end = 0
    return cutChunks(text).map((text, ordinal) => ({ item, ordinal, start: (end += text.length) - text.length, text }))
  })

interface Batch {
  readonly items: ReadonlyArray<TextItem>
  readonly chunks: ReturnType<typeof chunkRows>
}

const newBatch = (size: number): Batch => {
  const items = newTexts(size)
  return { items, chunks: chunkRows(items) }
}

const rawInsert = Effect.fnUntraced(function*({ connectorId, workspace }: Place, { chunks, items }: Batch) {
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

interface Case {
  readonly name: string
  readonly batch: number
  readonly batches: number
  readonly lanes: number
}

/** Several batches of each lane: with few of them, how the first ones get in step would be measured. */
const CASES: ReadonlyArray<Case> = [
  { name: "one workspace", batch: 1, batches: 40, lanes: 1 },
  { name: "one workspace", batch: 10, batches: 20, lanes: 1 },
  { name: "one workspace", batch: 100, batches: 24, lanes: 1 },
  { name: "one workspace", batch: 1_000, batches: 4, lanes: 1 },
  { name: `${LANES} workspaces at once`, batch: 1, batches: 80, lanes: LANES },
  { name: `${LANES} workspaces at once`, batch: 10, batches: 80, lanes: LANES },
  { name: `${LANES} workspaces at once`, batch: 100, batches: 64, lanes: LANES },
  { name: `${LANES} workspaces at once`, batch: 1_000, batches: 16, lanes: LANES }
]

/** Seconds that it takes to store all these batches, lane by lane at once. */
const timed = <E, R>(
  { batch, batches, lanes }: Case,
  places: ReadonlyArray<Place>,
  act: (place: Place, batch: Batch) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function*() {
    const work = Array.from({ length: lanes }, () => Array.from({ length: batches / lanes }, () => newBatch(batch)))
    const begin = performance.now()
    yield* Effect.forEach(
      work,
      (mine, lane) => Effect.forEach(mine, (batch) => act(places[lane]!, batch), { discard: true }),
      { concurrency: "unbounded", discard: true }
    )
    return (performance.now() - begin) / 1_000
  })

const measure = Effect.fnUntraced(function*(name: string) {
  yield* makeRawTables
  const ingest = yield* Ingest
  const places = yield* Effect.forEach(Array.from({ length: LANES }), () => newPlace)
  const rows: Array<ReadonlyArray<string>> = []
  for (const one of CASES) {
    const [ours, raw]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(
        yield* timed(one, places, ({ connectorId, workspace }, { items }) => ingest.text(workspace, connectorId, items))
      )
      raw.push(yield* timed(one, places, rawInsert))
    }
    const rate = (seconds: number) => (one.batch * one.batches) / seconds
    const ratios = ours.map((seconds, round) => raw[round]! / seconds)
    rows.push([
      name,
      one.name,
      String(one.batch),
      rate(median(ours.slice(1))).toFixed(0),
      rate(median(raw.slice(1))).toFixed(0),
      median(ratios.slice(1)).toFixed(2)
    ])
  }
  return rows
}, Effect.scoped)

export const INGEST_HEAD = ["database", "into", "batch", "ours, documents/s", "raw, documents/s", "ours / raw"]

/** Rows of the table of rates, for the database in this context. */
export const ingestRates = (name: string) => Effect.provide(measure(name), services)
