/** Columns as an export writes them, and the rows that it holds. */
import { parseJson } from "@tributary/core/model/parseJson"
import type { RowScope } from "@tributary/core/transfer/transferredTables"
import type { SqliteConnection } from "./SqliteConnection.ts"

type Cell = string | number | null

interface Codec {
  readonly encode: (cell: string | number) => unknown
  /** Throws when the value does not fit. */
  readonly decode: (value: unknown) => Cell
}

const asIs: Codec = {
  encode: (cell) => cell,
  decode: (value) => {
    if (typeof value === "string" || typeof value === "number") return value
    throw new TypeError("neither text nor a number")
  }
}

const instant: Codec = {
  encode: (cell) => new Date(cell).toISOString(),
  decode: (value) => {
    const millis = Date.parse(String(value))
    if (Number.isNaN(millis)) throw new TypeError("not a date")
    return millis
  }
}

const flag: Codec = { encode: (cell) => cell === 1, decode: (value) => value === true ? 1 : 0 }

const json: Codec = { encode: (cell) => parseJson(String(cell)), decode: (value) => JSON.stringify(value) }

/** Hexadecimal digits here; Postgres writes "\x" before them. */
const binary: Codec = { encode: (cell) => `\\x${cell}`, decode: (value) => String(value).replace(/^\\x/, "") }

const named = (codec: Codec, ...names: ReadonlyArray<string>) => names.map((name) => [name, codec] as const)

const CODECS: ReadonlyMap<string, Codec> = new Map([
  ...named(instant, "created_at", "updated_at", "timestamp", "ends_at", "joined_at", "expires_at", "revoked_at"),
  ...named(instant, "last_used_at", "connected_at", "due_at", "run_at", "started_at", "finished_at", "lease_until"),
  ...named(instant, "queued_at"),
  ...named(
    instant,
    "failing_since",
    "paused_until",
    "previous_secret_expires_at",
    "next_attempt_at",
    "asked_at",
    "ended_at",
    "questions_deleted_before"
  ),
  ...named(flag, "grandfathered", "suspended", "is_active", "is_live", "answered"),
  ...named(json, "overrides", "scopes", "accepted_kinds", "resources"),
  ...named(binary, "hash")
])

const codecOf = (column: string): Codec => CODECS.get(column) ?? asIs

export const encodeRow = (row: Readonly<Record<string, Cell>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, cell === null ? null : codecOf(name).encode(cell)])
    )
  )

export const decodeCell = (column: string, value: unknown): Cell =>
  value === null || value === undefined ? null : codecOf(column).decode(value)

const OPEN_WORKSPACES = "SELECT workspace_id FROM workspaces"

/** Conditions on the rows `t`, and on their document `d`. */
export const rowsInScope: Readonly<Record<RowScope, string>> = {
  all: "true",
  workspace: `t.workspace_id IN (${OPEN_WORKSPACES})`,
  document: `d.workspace_id IN (${OPEN_WORKSPACES})`,
  key: "t.key_id IN (SELECT key_id FROM api_keys)",
  acknowledged: `t.workspace_id IN (${OPEN_WORKSPACES}) AND t.queue IN ('ask', 'maintenance')`
}

/** Columns of Postgres without a counterpart: a payload is one row here, and there is only one clock. */
const POSTGRES_ONLY: ReadonlySet<string> = new Set(["payloads.slice", "jobs.due_at"])

export const isIgnored = (table: string, column: string): boolean => POSTGRES_ONLY.has(`${table}.${column}`)

/** The columns of an export, and the expressions for the row `t` and its document `d` that they are read with. */
export const exportedColumns = (db: SqliteConnection, table: string): ReadonlyMap<string, string> => {
  const columns = new Map(
    db.all<{ readonly name: string }>("SELECT name FROM pragma_table_info(?)", table)
      .map(({ name }) => [name, `t."${name}"`])
  )
  // Texts name their document by a number, in an export by its id.
  columns.delete("id")
  if (columns.delete("document")) columns.set("document_id", "d.document_id")
  if (table === "payloads") columns.set("slice", "0")
  return columns
}
