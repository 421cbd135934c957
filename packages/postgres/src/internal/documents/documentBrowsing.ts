/** The methods of `DocumentStore` that go through all documents of one workspace. */
import type { DocumentId } from "@tributary/core/model/Id"
import type { TokenFilter } from "@tributary/core/model/Token"
import type { DocumentFilter, DocumentOrder, DocumentStore } from "@tributary/core/ports/DocumentStore"
import { TITLE_KEY_LENGTH } from "@tributary/core/ports/titleKey"
import { type Context, Effect } from "effect"
import type { Statement } from "effect/sql"
import { arrayLiteral } from "../arrayLiteral.ts"
import { Database } from "../Database.ts"
import { type DocumentColumns, documentColumns, toDocument } from "./documentRows.ts"
import { moment } from "../moment.ts"
import { stored } from "../storageErrors.ts"

const folded = (text: string): string =>
  `translate(${text}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`

/** The sort expression, and how to read its value from a cursor. */
const KEYS: Readonly<Record<DocumentOrder["by"], readonly [key: string, type: string]>> = {
  timestamp: ["d.timestamp", "timestamptz"],
  updated_at: ["d.updated_at", "timestamptz"],
  title: [`left(${folded("coalesce(d.title, d.external_id)")}, ${TITLE_KEY_LENGTH}) COLLATE "C"`, "text"],
  size: ["d.size", "bigint"]
}

interface Bounds {
  readonly from?: Date | null
  readonly to?: Date | null
}

interface MatchColumns {
  readonly document_id: DocumentId
  readonly change_seq: number
  readonly source: string
}

export const documentBrowsing = Effect.gen(function*() {
  const database = yield* Database
  const { our, sql } = database
  const columns = documentColumns(database)
  const documents = our("documents")

  /** As the function of the model says. Each bound is a condition of its own, which an index may begin or end at. */
  const overlaps = ({ from, to }: Bounds) => {
    if (from && to && from >= to) return sql`FALSE`
    return sql`(TRUE ${to ? sql`AND d.timestamp < ${moment(to)}::timestamptz` : sql``} ${
      from
        ? sql`AND (coalesce(d.ends_at, d.timestamp) > ${moment(from)}::timestamptz
          OR d.timestamp >= ${moment(from)}::timestamptz)`
        : sql``
    })`
  }

  /** As `isShown` says. */
  const shown = ({ metadata, sources, ...range }: TokenFilter) =>
    sql`AND ${overlaps(range)}
      ${
      sources
        ? sql`AND EXISTS (SELECT FROM unnest(${arrayLiteral(sources)}::text[]) wanted WHERE wanted IN (d.kind, d.source)
          OR (wanted <> 'custom' AND wanted = split_part(d.source, ':', 1)))`
        : sql``
    }
      ${metadata ? sql`AND d.metadata::jsonb @> ${JSON.stringify(metadata)}::jsonb` : sql``}`

  const matching = (
    workspaceId: string,
    { connectorId, documentIds, from, kind, range, shownTo, source, to, words }: DocumentFilter
  ) => {
    // Ids are found by the documents' own key: this form keeps the indexes that begin with the workspace out.
    const own = documentIds === null
      ? sql`d.workspace_id = ${workspaceId}::uuid`
      : sql`d.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid`
    return sql`${own} AND EXISTS (SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = ${workspaceId}::uuid)
      ${documentIds === null ? sql`` : sql`AND d.document_id = ANY (${arrayLiteral(documentIds)}::uuid[])`}
      ${connectorId === null ? sql`` : sql`AND d.connector_id = ${connectorId}::uuid`}
      ${
      source === null ? sql`` : sql`AND (d.source = ${source}::text OR starts_with(d.source, ${source}::text || ':'))`
    }
      ${kind === null ? sql`` : sql`AND d.kind = ${kind}::text`}
      AND ${overlaps({ from, to })}
      ${range === null ? sql`` : range.inside ? sql`AND ${overlaps(range)}` : sql`AND NOT ${overlaps(range)}`}
      ${shownTo === null ? sql`` : shown(shownTo)}
      ${
      words.length === 0 ? sql`` : sql`AND NOT EXISTS (
        SELECT FROM unnest(${arrayLiteral(words)}::text[]) word
        WHERE strpos(${sql.literal(folded("coalesce(d.title, '') || E'\\n' || d.external_id"))}, word) = 0)`
    }`
  }

  /** Starts at the workspace in an index, whatever the statistics, which may say that the table is small. */
  const indexed = <Row>(query: Statement.Statement<Row>) =>
    sql.withTransaction(Effect.andThen(sql`SELECT set_config('enable_seqscan', 'off', true)`, query))

  const methods: Pick<
    Context.Service.Shape<typeof DocumentStore>,
    "browse" | "matching" | "countMatching"
  > = {
    browse: (workspaceId, filter, { after, limit, order: { by, descending } }) => {
      const [key, type] = KEYS[by]
      const direction = sql.literal(descending ? "DESC" : "ASC")
      const value = type === "timestamptz" ? moment(after === null ? null : new Date(after.key)) : after?.key
      const isPast = after === null ? sql`` : sql`AND (${sql.literal(key)}, d.document_id)
        ${sql.literal(descending ? "<" : ">")} (${value}::${sql.literal(type)}, ${after.document_id}::uuid)`
      return stored(
        indexed(sql<DocumentColumns>`SELECT ${columns} FROM ${documents} d
          WHERE ${matching(workspaceId, filter)} ${isPast}
          ORDER BY ${sql.literal(key)} ${direction}, d.document_id ${direction} LIMIT ${limit}::integer`),
        (rows) => rows.map(toDocument)
      )
    },

    matching: (workspaceId, filter, limit) =>
      stored(
        indexed(sql<MatchColumns>`SELECT d.document_id::text AS document_id, d.source,
            d.change_seq::double precision AS change_seq
          FROM ${documents} d WHERE ${matching(workspaceId, filter)} LIMIT ${limit}::integer`),
        (rows) => rows.map(({ change_seq, document_id, source }) => ({ document_id, change_seq, source }))
      ),

    countMatching: (workspaceId, filter, limit) =>
      stored(
        indexed(sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM (
          SELECT FROM ${documents} d WHERE ${matching(workspaceId, filter)} LIMIT ${limit}::integer) found`),
        ([row]) => row?.count ?? 0
      )
  }
  return methods
})
