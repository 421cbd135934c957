/**
 * Every table. Ids are text, instants are integer milliseconds, and text compares by its bytes (SQLite's default).
 *
 * Tables with wide rows have a rowid; narrow ones that are only looked up by key do without.
 */
export const initial = `
CREATE TABLE accounts (
  account_id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT, tier TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE workspaces (
  workspace_id TEXT PRIMARY KEY, account_id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, tier TEXT NOT NULL,
  created_at INTEGER NOT NULL, grandfathered INTEGER NOT NULL, suspended INTEGER NOT NULL, overrides TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX workspaces_by_account ON workspaces (account_id, workspace_id);
CREATE TABLE api_keys (
  key_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  hint TEXT NOT NULL, scopes TEXT NOT NULL, created_at INTEGER NOT NULL, created_by TEXT NOT NULL,
  last_used_at INTEGER, expires_at INTEGER, revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id);
CREATE TABLE key_traffic (
  key_id TEXT NOT NULL, day TEXT NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_traffic_by_day ON key_traffic (day);
CREATE TABLE connectors (
  connector_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, source_name TEXT NOT NULL,
  created_at INTEGER NOT NULL, created_by TEXT NOT NULL, is_active INTEGER NOT NULL, accepted_kinds TEXT NOT NULL,
  metadata TEXT NOT NULL, UNIQUE (workspace_id, source_name)
) STRICT;
CREATE TABLE connections (
  connection_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, provider TEXT NOT NULL, name TEXT NOT NULL,
  config TEXT NOT NULL, secrets TEXT, sync_config TEXT NOT NULL, resources TEXT NOT NULL,
  connected_at INTEGER NOT NULL, created_by TEXT NOT NULL, status TEXT NOT NULL, error TEXT, revision INTEGER NOT NULL
) STRICT;
CREATE INDEX connections_by_workspace ON connections (workspace_id, connected_at);
CREATE TABLE sync_states (
  workspace_id TEXT NOT NULL, connection_id TEXT NOT NULL, resource TEXT NOT NULL, job_id TEXT, due_at INTEGER,
  is_live INTEGER NOT NULL, state TEXT NOT NULL, cursor TEXT NOT NULL, UNIQUE (connection_id, resource)
) STRICT;
CREATE INDEX sync_states_due ON sync_states (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sync_states_live ON sync_states (job_id) WHERE is_live;
CREATE INDEX sync_states_by_workspace ON sync_states (workspace_id);
CREATE TABLE source_deletions (
  connection_id TEXT NOT NULL, resource TEXT NOT NULL, external_id TEXT NOT NULL, workspace_id TEXT NOT NULL,
  PRIMARY KEY (connection_id, resource, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_deletions_by_workspace ON source_deletions (workspace_id);
CREATE TABLE counters (
  workspace_id TEXT PRIMARY KEY, documents INTEGER NOT NULL DEFAULT 0, storage INTEGER NOT NULL DEFAULT 0,
  change_seq INTEGER NOT NULL DEFAULT 0, event_seq INTEGER NOT NULL DEFAULT 0, chunk_seq INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE documents (
  id INTEGER PRIMARY KEY, document_id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, connector_id TEXT NOT NULL,
  external_id TEXT NOT NULL, change_seq INTEGER NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL, title TEXT,
  url TEXT, size INTEGER NOT NULL, text_bytes INTEGER NOT NULL, timestamp INTEGER NOT NULL, ends_at INTEGER,
  metadata TEXT NOT NULL, fingerprint TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  UNIQUE (connector_id, external_id)
) STRICT;
CREATE INDEX documents_by_change ON documents (workspace_id, change_seq);
CREATE INDEX documents_by_time ON documents (workspace_id, timestamp, document_id);
CREATE INDEX documents_by_connector ON documents (workspace_id, connector_id, document_id);
CREATE TABLE chunks (
  document INTEGER NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (document, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE payloads (document INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE tombstones (
  document_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, change_seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_by_change ON tombstones (workspace_id, change_seq);
CREATE TABLE events (
  workspace_id TEXT NOT NULL, event_seq INTEGER NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL,
  source TEXT NOT NULL, kind TEXT NOT NULL, external_id TEXT NOT NULL, document_id TEXT NOT NULL,
  timestamp INTEGER NOT NULL, created_at INTEGER NOT NULL, metadata TEXT NOT NULL, UNIQUE (workspace_id, event_seq)
) STRICT;
CREATE INDEX events_by_age ON events (created_at);
CREATE TABLE knowledge (
  workspace_id TEXT PRIMARY KEY, settings TEXT, generation INTEGER NOT NULL DEFAULT 0, runs INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
  workspace_id TEXT NOT NULL, position INTEGER NOT NULL, snapshot_id TEXT NOT NULL, change_seq INTEGER NOT NULL,
  chunk_seq INTEGER NOT NULL, generation INTEGER NOT NULL, settings TEXT NOT NULL, built_at INTEGER NOT NULL,
  watermark INTEGER, segments TEXT NOT NULL, purged_seq INTEGER NOT NULL, hiding_since INTEGER,
  UNIQUE (workspace_id, position)
) STRICT;
CREATE INDEX snapshots_hiding ON snapshots (workspace_id) WHERE hiding_since IS NOT NULL;
CREATE TABLE segments (
  workspace_id TEXT NOT NULL, segment_id TEXT NOT NULL, slice INTEGER NOT NULL, last INTEGER NOT NULL,
  bytes BLOB NOT NULL, UNIQUE (workspace_id, segment_id, slice)
) STRICT;
CREATE TABLE jobs (
  job_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, queue TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL,
  status TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, max_attempts INTEGER NOT NULL,
  deadline_seconds REAL NOT NULL, created_at INTEGER NOT NULL, run_at INTEGER NOT NULL, started_at INTEGER,
  finished_at INTEGER, progress TEXT, error TEXT, result TEXT, lease TEXT, lease_until INTEGER
) STRICT;
CREATE UNIQUE INDEX jobs_running ON jobs (queue, key) WHERE status = 'running';
CREATE INDEX jobs_by_age ON jobs (created_at, job_id) WHERE status = 'queued';
CREATE INDEX jobs_of_key ON jobs (queue, key, created_at, job_id) WHERE status = 'queued';
CREATE INDEX jobs_by_workspace ON jobs (workspace_id, queue, job_id);
CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE TABLE rate_windows (
  workspace_id TEXT NOT NULL, operation TEXT NOT NULL, ends_at INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, operation)
) STRICT, WITHOUT ROWID;
CREATE TABLE users (
  user_id TEXT PRIMARY KEY, account_id TEXT NOT NULL, email TEXT, name TEXT NOT NULL, created_at INTEGER NOT NULL,
  UNIQUE (account_id, email)
) STRICT;
CREATE INDEX users_by_email ON users (email);
CREATE TABLE members (
  workspace_id TEXT NOT NULL, user_id TEXT NOT NULL, role TEXT NOT NULL, joined_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_user ON members (user_id, workspace_id);
CREATE TABLE invitations (
  invitation_id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, account_id TEXT NOT NULL, email TEXT NOT NULL,
  role TEXT NOT NULL, created_at INTEGER NOT NULL, created_by TEXT NOT NULL, expires_at INTEGER NOT NULL,
  UNIQUE (workspace_id, email)
) STRICT;
CREATE INDEX invitations_by_email ON invitations (email);
CREATE TABLE identities (
  issuer TEXT NOT NULL, subject TEXT NOT NULL, user_id TEXT NOT NULL UNIQUE, PRIMARY KEY (issuer, subject)
) STRICT;
CREATE TABLE sign_in_links (
  hash TEXT PRIMARY KEY, subject TEXT NOT NULL UNIQUE, expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, user_agent TEXT, address TEXT
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, session_id);
CREATE TABLE audit_log (
  entry_id TEXT PRIMARY KEY, account_id TEXT NOT NULL, workspace_id TEXT, action TEXT NOT NULL, actor TEXT NOT NULL,
  subject TEXT NOT NULL, details TEXT NOT NULL, address TEXT, created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_log_by_account ON audit_log (account_id, entry_id);
CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, entry_id) WHERE workspace_id IS NOT NULL;
CREATE INDEX audit_log_by_age ON audit_log (created_at);
`
