/** Looking through all documents of a workspace. */
import type { DocumentId, WorkspaceId } from "@tributary/core/model/Id"
import type { TokenFilter } from "@tributary/core/model/Token"
import type {
  DocumentFilter,
  DocumentOrder,
  DocumentPosition,
  DocumentRecord,
  DocumentVersion
} from "@tributary/core/ports/DocumentStore"
import { TITLE_KEY_LENGTH } from "@tributary/core/ports/titleKey"
import { isOpen } from "../internal/isOpen.ts"
import { type DocumentColumns, toDocument } from "../internal/rows.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

type Value = string | number | null

interface Condition {
  readonly text: string
  readonly values: ReadonlyArray<Value>
}

// SQLite's own `lower` folds only ASCII letters, as intended.
const KEYS: Readonly<Record<DocumentOrder["by"], string>> = {
  timestamp: "timestamp",
  updated_at: "updated_at",
  title: `substr(lower(coalesce(title, external_id)), 1, ${TITLE_KEY_LENGTH})`,
  size: "size"
}

interface Bounds {
  readonly from?: Date | null
  readonly to?: Date | null
}

const allOf = (conditions: ReadonlyArray<Condition>): Condition => ({
  text: conditions.map(({ text }) => text).join(" AND "),
  values: conditions.flatMap(({ values }) => values)
})

/** As `overlaps` says. Each bound is a condition of its own, which an index may begin or end at. */
const overlapping = ({ from, to }: Bounds): Condition => {
  if (from && to && from >= to) return { text: "FALSE", values: [] }
  const all: Array<Condition> = [{ text: "TRUE", values: [] }]
  if (to) all.push({ text: "timestamp < ?", values: [to.getTime()] })
  if (from) {
    all.push({
      text: "(coalesce(ends_at, timestamp) > ? OR timestamp >= ?)",
      values: [from.getTime(), from.getTime()]
    })
  }
  return allOf(all)
}

/** As `isShown` says. */
const shown = ({ metadata, sources, ...range }: TokenFilter): ReadonlyArray<Condition> => {
  const all = [overlapping(range)]
  if (sources) {
    all.push({
      text: `EXISTS (SELECT 1 FROM json_each(?) WHERE value IN (kind, source)
        OR (value <> 'custom' AND value = substr(source, 1, instr(source, ':') - 1)))`,
      values: [JSON.stringify(sources)]
    })
  }
  if (metadata) {
    all.push({
      text: `NOT EXISTS (SELECT key, value FROM json_each(?) EXCEPT SELECT key, value FROM json_each(metadata))`,
      values: [JSON.stringify(metadata)]
    })
  }
  return all
}

const conditions = (workspaceId: WorkspaceId, filter: DocumentFilter): Condition => {
  const { connectorId, documentIds, from, kind, range, shownTo, source, to, words } = filter
  const all: Array<Condition> = [{ text: "workspace_id = ?", values: [workspaceId] }, overlapping({ from, to })]
  if (documentIds !== null) {
    all.push({ text: "document_id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(documentIds)] })
  }
  if (connectorId !== null) all.push({ text: "connector_id = ?", values: [connectorId] })
  if (source !== null) {
    // A colon and the character after it enclose what begins with the provider.
    all.push({ text: "(source = ? OR (source >= ? AND source < ?))", values: [source, `${source}:`, `${source};`] })
  }
  if (kind !== null) all.push({ text: "kind = ?", values: [kind] })
  if (range !== null) {
    const { text, values } = overlapping(range)
    all.push({ text: range.inside ? text : `NOT (${text})`, values })
  }
  for (const word of words) {
    all.push({ text: "instr(lower(coalesce(title, '') || char(10) || external_id), ?) > 0", values: [word] })
  }
  if (shownTo !== null) all.push(...shown(shownTo))
  return allOf(all)
}

export const browseDocuments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  filter: DocumentFilter,
  { after, limit, order: { by, descending } }: {
    readonly order: DocumentOrder
    readonly after: DocumentPosition | null
    readonly limit: number
  }
): ReadonlyArray<DocumentRecord> => {
  const { text, values } = conditions(workspaceId, filter)
  const direction = descending ? "DESC" : "ASC"
  const past = after === null ? "" : `AND (${KEYS[by]}, document_id) ${descending ? "<" : ">"} (?, ?)`
  return db.transaction("BEGIN", () =>
    isOpen(db, workspaceId)
      ? db.all<DocumentColumns>(
        `SELECT * FROM documents WHERE ${text} ${past}
          ORDER BY ${KEYS[by]} ${direction}, document_id ${direction} LIMIT ?`,
        ...values,
        ...after === null ? [] : [after.key, after.document_id],
        limit
      ).map(toDocument)
      : [])
}

export const matchingDocuments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  filter: DocumentFilter,
  limit: number
): ReadonlyArray<DocumentVersion & { readonly source: string }> => {
  const { text, values } = conditions(workspaceId, filter)
  return db.transaction("BEGIN", () =>
    isOpen(db, workspaceId)
      ? db.all<{ readonly document_id: DocumentId; readonly change_seq: number; readonly source: string }>(
        `SELECT document_id, change_seq, source FROM documents WHERE ${text} LIMIT ?`,
        ...values,
        limit
      ).map((row) => ({ ...row }))
      : [])
}

export const countMatchingDocuments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  filter: DocumentFilter,
  limit: number
): number => {
  const { text, values } = conditions(workspaceId, filter)
  return db.transaction("BEGIN", () =>
    isOpen(db, workspaceId)
      ? db.get<{ readonly count: number }>(
        `SELECT count(*) AS count FROM (SELECT 1 FROM documents WHERE ${text} LIMIT ?)`,
        ...values,
        limit
      )!.count
      : 0)
}
