/**
 * The tables of an export, in the order of the file. Every table of a store is either here or derived from these.
 *
 * Rows of a closed workspace are not exported: they only wait to be erased.
 */

/** Which rows of a table are exported. */
export type RowScope =
  | "all"
  /** Rows of open workspaces. */
  | "workspace"
  /** Rows of documents of open workspaces. */
  | "document"
  /** Rows of API keys. */
  | "key"
  /** Jobs of open workspaces that were acknowledged: questions and deletions. Index builds are queued again. */
  | "acknowledged"

export interface TransferredTable {
  readonly name: string
  readonly scope: RowScope
  /** How many rows are read at a time: a small part of what fits into memory. */
  readonly page: number
}

const table = (name: string, scope: RowScope = "workspace", page = 500): TransferredTable => ({ name, scope, page })

export const transferredTables: ReadonlyArray<TransferredTable> = [
  table("accounts", "all"),
  table("workspaces", "all"),
  table("users", "all"),
  table("identities", "all"),
  table("members"),
  table("invitations"),
  table("audit_log", "all"),
  table("operators", "all"),
  table("operator_log", "all"),
  table("api_keys"),
  table("key_traffic", "key"),
  table("connectors"),
  table("connections"),
  table("sync_states"),
  table("sync_runs"),
  table("source_deletions"),
  table("counters"),
  table("knowledge"),
  table("documents"),
  table("chunks", "document"),
  // A payload may have megabytes.
  table("payloads", "document", 4),
  table("events"),
  table("webhooks"),
  table("webhook_deliveries", "workspace", 100),
  table("jobs", "acknowledged", 100),
  table("questions"),
  table("usage_days"),
  table("usage_counts")
]

/** Tables that are rebuilt from the others, of use for a moment only, or about the database itself. */
export const derivedTables: ReadonlyArray<string> = [
  "migrations",
  "rate_windows",
  "segments",
  "sessions",
  "sign_in_links",
  "snapshots",
  // They mask deleted data in older snapshots; an imported store begins without snapshots.
  "tombstones",
  "usage_writers"
]
