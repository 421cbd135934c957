/** The methods of `DocumentStore` that go through all documents of one workspace. */
import type { DocumentId } from "@tributary/core/model/Id"
import type { TokenFilter } from "@tributary/core/model/Token"
import type { DocumentFilter, DocumentOrder, DocumentStore } from "@tributary/core/ports/DocumentStore"
import { latestBeginning } from "@tributary/core/ports/latestBeginning"
import { TITLE_KEY_LENGTH } from "@tributary/core/ports/documentPosition"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { arrayLiteral } from "../arrayLiteral.ts"
import { Database } from "../Database.ts"
import { type DocumentColumns, documentColumns, toDocument } from "./documentRows.ts"
import { moment } from "../moment.ts"
import { inTransaction, stored } from "../storageErrors.ts"

const folded = (text: string): string =>
  `translate(${text}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`

/** As `foldText`. Most texts are in ASCII, and have no accents. */
const withoutAccents = (text: string): string =>
  `CASE WHEN octet_length(${text}) = char_length(${text}) THEN ${text}
    ELSE normalize(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC) END`

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
  const { isOpen, our, sql } = database
  const columns = documentColumns(database)
  const documents = our("documents")

  /** The condition for a value, if there is one. */
  const whenSet = <A>(value: A | null | undefined, condition: (value: A) => Statement.Fragment) =>
    value === null || value === undefined ? [] : [condition(value)]

  /** With `since`, what `overlaps` says. */
  const begun = ({ from, to }: Bounds) =>
    from && to && from >= to ? [sql`FALSE`] : whenSet(to, (to) => sql`d.timestamp < ${moment(to)}::timestamptz`)

  /** The opposite of what `overlaps` says of a range that is not empty. */
  const outside = ({ from, to }: Bounds) =>
    sql.or([
      sql`FALSE`,
      ...whenSet(from, (from) =>
        sql`(d.timestamp < ${moment(from)}::timestamptz
          AND coalesce(d.ends_at, d.timestamp) <= ${moment(from)}::timestamptz)`),
      ...whenSet(to, (to) => sql`d.timestamp >= ${moment(to)}::timestamptz`)
    ])

  /** As `isShown` says, with `since`. */
  const shown = ({ metadata, sources, ...range }: TokenFilter) => [
    ...begun(range),
    ...whenSet(
      sources,
      (sources) =>
        sql`EXISTS (SELECT FROM unnest(${arrayLiteral(sources)}::text[]) wanted WHERE wanted IN (d.kind, d.source)
        OR (wanted <> 'custom' AND wanted = split_part(d.source, ':', 1)))`
    ),
    ...whenSet(metadata, (metadata) => sql`d.metadata::jsonb @> ${JSON.stringify(metadata)}::jsonb`)
  ]

  const searchedText = sql.literal(folded(withoutAccents("(coalesce(d.title, '') || E'\\n' || d.external_id)")))

  const matching = (
    workspaceId: string,
    { connectorId, documentIds, from, kind, range, shownTo, source, to, words }: DocumentFilter
  ) =>
    sql.and([
      // Ids are found by the documents' own key: this form keeps the indexes that begin with the workspace out.
      documentIds === null
        ? sql`d.workspace_id = ${workspaceId}::uuid`
        : sql`d.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid`,
      isOpen(workspaceId),
      ...whenSet(documentIds, (ids) => sql`d.document_id = ANY (${arrayLiteral(ids)}::uuid[])`),
      ...whenSet(connectorId, (id) => sql`d.connector_id = ${id}::uuid`),
      ...whenSet(
        source,
        (source) => sql`(d.source = ${source}::text OR starts_with(d.source, ${source}::text || ':'))`
      ),
      ...whenSet(kind, (kind) => sql`d.kind = ${kind}::text`),
      ...begun({ from, to }),
      ...(range === null ? [] : range.inside ? begun(range) : [outside(range)]),
      ...(shownTo === null ? [] : shown(shownTo)),
      ...whenSet(words.length === 0 ? null : words, (words) =>
        sql`NOT EXISTS (
          SELECT FROM unnest(${arrayLiteral(words.map((forms) => forms.join(" ")))}::text[]) forms
          WHERE NOT EXISTS (
            SELECT FROM unnest(string_to_array(forms, ' ')) form WHERE strpos(${searchedText}, form) > 0))`)
    ])

  /** A query for all matches. It begins at a range of an index: what began since then, or began before and lasted. */
  const matches = (workspaceId: string, filter: DocumentFilter, rest: Statement.Fragment) => {
    const all = matching(workspaceId, filter)
    const since = latestBeginning(filter)
    if (since === null) return sql`SELECT d.* FROM ${documents} d WHERE ${all} ${rest}`
    const began = sql`${moment(since)}::timestamptz`
    // Whatever else is asked, the second part reads only what lasts.
    return sql`(SELECT d.* FROM ${documents} d WHERE ${all} AND d.timestamp >= ${began} ${rest})
      UNION ALL (SELECT d.* FROM (SELECT * FROM ${documents} q
          WHERE q.workspace_id = ${workspaceId}::uuid AND q.ends_at > ${began} OFFSET 0) d
        WHERE ${all} AND d.timestamp < ${began} ${rest})`
  }

  const upTo = (limit: number) => sql`LIMIT ${limit}::integer`

  /**
   * Starts at the workspace in an index, whatever the statistics, which may say that the table is small. Without a sort,
   * it reads in the order of the index; what has to be sorted anyway then seems so expensive that Postgres would compile
   * the statement, for half a second.
   */
  const indexed = <Row>(query: Statement.Statement<Row>, sorting = "on") =>
    inTransaction(
      sql,
      Effect.andThen(
        sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', ${sorting}, true),
        set_config('jit', 'off', true)`,
        query
      )
    )

  const methods: Pick<
    DocumentStore["Service"],
    "browse" | "matching" | "countMatching"
  > = {
    browse: (workspaceId, filter, { after, limit, order: { by, descending } }) => {
      const [key, type] = KEYS[by]
      const direction = sql.literal(descending ? "DESC" : "ASC")
      const value = type === "timestamptz" ? moment(after === null ? null : new Date(after.key)) : after?.key
      const isPast = after === null ? sql`` : sql`AND (${sql.literal(key)}, d.document_id)
        ${sql.literal(descending ? "<" : ">")} (${value}::${sql.literal(type)}, ${after.document_id}::uuid)`
      const ordered = sql`ORDER BY ${sql.literal(key)} ${direction}, d.document_id ${direction} LIMIT ${limit}::integer`
      return stored(
        indexed(
          sql<DocumentColumns>`SELECT ${columns}
            FROM (${matches(workspaceId, filter, sql`${isPast} ${ordered}`)}) d ${ordered}`,
          // The documents of one connector may be few.
          by === "timestamp" && filter.connectorId === null && filter.documentIds === null ? "off" : "on"
        ),
        (rows) => rows.map(toDocument)
      )
    },

    matching: (workspaceId, filter, limit) =>
      stored(
        indexed(sql<MatchColumns>`SELECT d.document_id::text AS document_id, d.source,
            d.change_seq::double precision AS change_seq
          FROM (${matches(workspaceId, filter, upTo(limit))}) d LIMIT ${limit}::integer`),
        (rows) => rows.map(({ change_seq, document_id, source }) => ({ document_id, change_seq, source }))
      ),

    countMatching: (workspaceId, filter, limit) =>
      stored(
        indexed(sql<{ readonly count: number }>`SELECT count(*)::integer AS count FROM (
          SELECT FROM (${matches(workspaceId, filter, upTo(limit))}) d LIMIT ${limit}::integer) found`),
        ([row]) => row?.count ?? 0
      )
  }
  return methods
})
