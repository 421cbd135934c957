/** The methods of `DocumentStore` that change documents. */
import { runGenerator } from "@tributary/core/runGenerator"
import { hasLongText } from "@tributary/core/longText"
import type { DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import type { DocumentStore, Selection, Verdict } from "@tributary/core/ports/DocumentStore"
import { inSlices } from "@tributary/core/Slices"
import { Effect } from "effect"
import { admissionArrays, type PackedTexts } from "./admissionArrays.ts"
import { arrayLiteral } from "../arrayLiteral.ts"
import { Database } from "../Database.ts"
import { deleteSteps, type Pruned, pruneSteps } from "../pruning.ts"
import { heldBy } from "../rows/jobRows.ts"
import { JobSignal } from "../JobSignal.ts"
import { moment } from "../moment.ts"
import { limitTo } from "../page.ts"
import { stored } from "../storageErrors.ts"

interface Verdicts {
  readonly statuses: ReadonlyArray<Verdict["status"]> | null
  readonly resources: ReadonlyArray<Verdict["resource"]>
  readonly document_ids: ReadonlyArray<DocumentId | null>
}

interface Removed {
  readonly document_id: DocumentId
  readonly external_id: string
}

/** The number of rows that one step of pruning deletes. */
const STEP = 1_000

export const documentChanges = Effect.gen(function*() {
  const database = yield* Database
  const { our, sql } = database
  const { announcing } = yield* JobSignal

  const texts = (sent: ReadonlyArray<string> | PackedTexts) =>
    "bytes" in sent
      ? sql`ARRAY(SELECT convert_from(substring(${sent.bytes}::bytea FROM part.start FOR part.length), 'UTF8')
          FROM unnest(${sent.starts}::integer[], ${sent.lengths}::integer[]) WITH ORDINALITY part(start, length, number)
          ORDER BY part.number)`
      : sql`${sent}::text[]`

  const lockOf = (workspaceId: WorkspaceId) =>
    sql`SELECT FROM ${our("counters")} WHERE workspace_id = ${workspaceId}::uuid FOR UPDATE`

  /** Takes the marks of documents that are gone at their source. */
  const takeMarked = (
    workspaceId: WorkspaceId,
    { connector_id, gone, resource }: Extract<Selection, { readonly gone: unknown }>
  ) =>
    sql`, taken AS (
      DELETE FROM ${our("source_deletions")} WHERE EXISTS (SELECT FROM held) AND ctid = ANY (ARRAY(
        SELECT q.ctid FROM unnest(${arrayLiteral(gone)}::text[]) AS g(external_id) CROSS JOIN LATERAL (
          SELECT q.ctid FROM ${our("source_deletions")} q
            WHERE q.connection_id = ${connector_id}::uuid AND q.resource = ${resource}::text
              AND q.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid AND q.external_id = g.external_id LIMIT 1
        ) q))
      RETURNING external_id
    )`

  const methods: Pick<
    DocumentStore["Service"],
    "admit" | "remove" | "pruneEvents" | "pruneTombstones"
  > = {
    admit: Effect.fnUntraced(
      function*(workspaceId, { connector_id, source }, items, { caps, follow, now, fencingToken }) {
        const isLong = hasLongText(items)
        const making = admissionArrays(items, isLong)
        const arrays = isLong ? yield* inSlices(making) : runGenerator(making)
        const { chunks, payloads } = arrays
        return yield* announcing(stored(
          sql<Verdicts>`WITH ${heldBy(database, fencingToken, fencingToken && lockOf(workspaceId))} SELECT * FROM ${
            our("admit_at_once")
          }(
          ${workspaceId}::uuid, ${connector_id}::uuid, ${source}::text, ${moment(now)}::timestamptz,
          ${caps.documents}::bigint,
          ${caps.storage}::bigint, ${caps.pending ?? null}::bigint, ${JSON.stringify(follow)}::text::jsonb,
          ${arrays.externalIds}::text[], ${arrays.documentIds}::uuid[], ${arrays.eventIds}::uuid[],
          ${arrays.kinds}::text[], ${arrays.titles}::text[], ${arrays.urls}::text[], ${arrays.sizes}::bigint[],
          ${arrays.textBytes}::bigint[], ${arrays.timestamps}::timestamptz[], ${arrays.ends}::timestamptz[],
          ${arrays.metadata}::text[], ${arrays.fingerprints}::text[], ${arrays.oversized}::boolean[],
          ${chunks.item}::integer[], ${chunks.ordinal}::integer[], ${chunks.start}::integer[], ${texts(chunks.text)},
          ${payloads.item}::integer[], ${payloads.slice}::integer[], ${texts(payloads.text)})
          WHERE EXISTS (SELECT FROM held)`,
          ([row]) =>
            row?.statuses?.length === 0 && items.length > 0 ?
              "behind" :
              row?.statuses?.map((status, index): Verdict => ({
                status,
                resource: row.resources[index] ?? null,
                document_id: row.document_ids[index] ?? null
              })) ?? null
        ))
      }
    ),

    remove: (workspaceId, selection, now, follow, fencingToken) => {
      const document = "document_id" in selection ? selection.document_id : null
      const connector = "connector_id" in selection ? selection.connector_id : null
      const externalIds = "gone" in selection
        ? sql`ARRAY(SELECT external_id FROM taken)`
        : sql`${"external_ids" in selection ? [...selection.external_ids] : []}::text[]`
      const [at, following] = [moment(now), JSON.stringify(follow)]
      const removed = "versions" in selection
        ? sql`${our("remove_versions")}(${workspaceId}::uuid,
            ${arrayLiteral(selection.versions.map(({ document_id }) => document_id))}::uuid[],
            ${arrayLiteral(selection.versions.map(({ change_seq }) => change_seq))}::bigint[],
            ${at}::timestamptz, ${following}::text::jsonb)`
        : "first" in selection
        ? sql`${our("remove_until")}(${workspaceId}::uuid, ${connector}::uuid,
            ${selection.first}::integer, ${selection.until}::bigint, ${at}::timestamptz, ${following}::text::jsonb)`
        : sql`${our("remove")}(${workspaceId}::uuid, ${document}::uuid, ${connector}::uuid,
            ${externalIds}, NULL::integer, ${at}::timestamptz, ${following}::text::jsonb)`
      return announcing(stored(
        sql<Removed>`WITH ${heldBy(database, fencingToken, lockOf(workspaceId))}
            ${"gone" in selection ? takeMarked(workspaceId, selection) : sql``}
          SELECT * FROM ${removed} WHERE EXISTS (SELECT FROM held)`,
        (rows) => rows.map(({ document_id, external_id }) => ({ document_id, external_id }))
      ))
    },

    // Loops over the workspaces; the due tombstones of each are at the beginning of its index range.
    pruneTombstones: deleteSteps(
      sql,
      STEP,
      our("tombstones"),
      sql`SELECT due.ctid FROM (
          SELECT s.workspace_id, min(coalesce(s.purged_seq, 0)) AS purged_seq FROM ${our("snapshots")} s GROUP BY 1
        ) kept CROSS JOIN LATERAL (
          SELECT t.ctid FROM ${our("tombstones")} t
            WHERE t.workspace_id >= kept.workspace_id
              AND (t.workspace_id, t.change_seq) <= (kept.workspace_id, kept.purged_seq)
            ORDER BY t.workspace_id, t.change_seq ${limitTo(sql, STEP)}
        ) due ${limitTo(sql, STEP)}`
    ),

    pruneEvents: (before) =>
      pruneSteps(
        STEP,
        sql<Pruned>`SELECT ${our("prune_events")}(${moment(before)}::timestamptz, ${STEP}::integer) AS pruned`
      )
  }
  return methods
})
