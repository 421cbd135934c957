/**
 * What of a store goes into an export: every table is either here or among those that are derived.
 *
 * Rows of a workspace that is closed only wait to be erased, and stay behind.
 */

export interface TransferredTable {
  readonly name: string
  /** Which rows of the table `t`, given the schema's quoted name. */
  readonly rows: (schema: string) => string
  /** How many rows are read at a time: together they fit into memory many times over. */
  readonly page: number
}

const all = () => "true"

const ofOpenWorkspace = (schema: string) => `t.workspace_id IN (SELECT w.workspace_id FROM ${schema}.workspaces w)`

const ofOpenDocument = (schema: string) =>
  `EXISTS (SELECT FROM ${schema}.documents d JOIN ${schema}.workspaces w ON w.workspace_id = d.workspace_id
    WHERE d.document_id = t.document_id)`

const ofOpenKey = (schema: string) => `t.key_id IN (SELECT k.key_id FROM ${schema}.api_keys k)`

/** What was acknowledged: questions with their answers, and deletions. What brings the context up to date is made anew. */
const asked = (schema: string) => `${ofOpenWorkspace(schema)} AND t.queue IN ('ask', 'maintenance')`

const table = (name: string, rows = ofOpenWorkspace, page = 500): TransferredTable => ({ name, rows, page })

/** In the order of the file. */
export const transferredTables: ReadonlyArray<TransferredTable> = [
  table("accounts", all),
  table("workspaces", all),
  table("users", all),
  table("identities", all),
  table("members"),
  table("invitations"),
  table("audit_log", all),
  table("api_keys"),
  table("key_traffic", ofOpenKey),
  table("connectors"),
  table("connections"),
  table("sync_states"),
  table("source_deletions"),
  table("counters"),
  table("knowledge"),
  table("documents"),
  table("chunks", ofOpenDocument),
  // A slice may have megabytes.
  table("payloads", ofOpenDocument, 4),
  table("events"),
  table("jobs", asked, 100)
]

/** Made anew from the others, of use for a moment only, or about the database itself. */
export const derivedTables: ReadonlyArray<string> = [
  "migrations",
  "rate_windows",
  "segments",
  "sessions",
  "sign_in_links",
  "snapshots",
  // They hide what an older snapshot still has; an imported store begins without snapshots.
  "tombstones"
]
