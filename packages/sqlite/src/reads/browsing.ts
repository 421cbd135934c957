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
import { latestBeginning } from "@tributary/core/ports/latestBeginning"
import { TITLE_KEY_LENGTH } from "@tributary/core/ports/documentPosition"
import { isOpen } from "../internal/isOpen.ts"
import { type DocumentColumns, toDocument } from "../rows/documentRows.ts"
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

/** With `since`, what `overlaps` says. */
const begun = ({ from, to }: Bounds): ReadonlyArray<Condition> => {
  if (from && to && from >= to) return [{ text: "FALSE", values: [] }]
  return to ? [{ text: "timestamp < ?", values: [to.getTime()] }] : []
}

/** The opposite of what `overlaps` says of a range that is not empty. */
const outside = ({ from, to }: Bounds): Condition => {
  const before = from ? "(timestamp < ? AND coalesce(ends_at, timestamp) <= ?)" : "FALSE"
  return {
    text: `(${before} OR ${to ? "timestamp >= ?" : "FALSE"})`,
    values: [...from ? [from.getTime(), from.getTime()] : [], ...to ? [to.getTime()] : []]
  }
}

/** As `isShown` says, with `since`. */
const shown = ({ metadata, sources, ...range }: TokenFilter): ReadonlyArray<Condition> => {
  const all = [...begun(range)]
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

const conditions = (workspaceId: WorkspaceId, filter: DocumentFilter): ReadonlyArray<Condition> => {
  const { connectorId, documentIds, from, kind, range, shownTo, source, to, words } = filter
  const all: Array<Condition> = [{ text: "workspace_id = ?", values: [workspaceId] }, ...begun({ from, to })]
  if (documentIds !== null) {
    all.push({ text: "document_id IN (SELECT value FROM json_each(?))", values: [JSON.stringify(documentIds)] })
  }
  if (connectorId !== null) all.push({ text: "connector_id = ?", values: [connectorId] })
  if (source !== null) {
    // A colon and the character after it enclose what begins with the provider.
    all.push({ text: "(source = ? OR (source >= ? AND source < ?))", values: [source, `${source}:`, `${source};`] })
  }
  if (kind !== null) all.push({ text: "kind = ?", values: [kind] })
  if (range !== null) all.push(...range.inside ? begun(range) : [outside(range)])
  for (const forms of words) {
    const contained = forms.map(() => "instr(fold_text(coalesce(title, '') || char(10) || external_id), ?) > 0")
    all.push({ text: `(${contained.join(" OR ")})`, values: forms })
  }
  if (shownTo !== null) all.push(...shown(shownTo))
  return all
}

/** A query for all matches. It begins at a range of an index: what began since then, or began before and lasted. */
const matches = (columns: string, workspaceId: WorkspaceId, filter: DocumentFilter, past?: Condition): Condition => {
  const all = [...conditions(workspaceId, filter), ...past === undefined ? [] : [past]]
  const since = latestBeginning(filter)?.getTime() ?? null
  const query = (table: string, further: ReadonlyArray<Condition>): Condition => {
    const { text, values } = allOf([...all, ...further])
    return { text: `SELECT ${columns} FROM ${table} WHERE ${text}`, values }
  }
  if (since === null) return query("documents", [])
  const began = query("documents", [{ text: "timestamp >= ?", values: [since] }])
  const lasted = query("documents INDEXED BY documents_lasting", [
    { text: "timestamp < ? AND ends_at > ?", values: [since, since] }
  ])
  return { text: `${began.text} UNION ALL ${lasted.text}`, values: [...began.values, ...lasted.values] }
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
  const direction = descending ? "DESC" : "ASC"
  const past = after === null ? undefined : {
    text: `(${KEYS[by]}, document_id) ${descending ? "<" : ">"} (?, ?)`,
    values: [after.key, after.document_id]
  }
  const { text, values } = matches(`*, ${KEYS[by]} AS place`, workspaceId, filter, past)
  return db.transaction("BEGIN", () =>
    isOpen(db, workspaceId)
      ? db.all<DocumentColumns>(
        `${text} ORDER BY place ${direction}, document_id ${direction} LIMIT ?`,
        ...values,
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
  const { text, values } = matches("document_id, change_seq, source", workspaceId, filter)
  return db.transaction("BEGIN", () =>
    isOpen(db, workspaceId)
      ? db.all<{ readonly document_id: DocumentId; readonly change_seq: number; readonly source: string }>(
        `${text} LIMIT ?`,
        ...values,
        limit
      )
      : [])
}

export const countMatchingDocuments = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  filter: DocumentFilter,
  limit: number
): number => {
  const { text, values } = matches("1", workspaceId, filter)
  return db.transaction("BEGIN", () =>
    isOpen(db, workspaceId)
      ? db.get<{ readonly count: number }>(`SELECT count(*) AS count FROM (${text} LIMIT ?)`, ...values, limit)!.count
      : 0)
}
