/** Accounts, workspaces, and what is looked up with every request. */
import type { Migration } from "./Migration.ts"

// A workspace is open as long as its row exists: closing removes the row, and with it everything else is out of sight.
const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.accounts (
    account_id uuid PRIMARY KEY,
    name text NOT NULL,
    email text,
    tier text NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE ${schema}.workspaces (
    workspace_id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    tier text NOT NULL,
    created_at timestamptz NOT NULL,
    grandfathered boolean NOT NULL,
    suspended boolean NOT NULL,
    overrides jsonb NOT NULL
  )`,
  `CREATE INDEX workspaces_by_account ON ${schema}.workspaces (account_id, workspace_id)`,
  `CREATE TABLE ${schema}.api_keys (
    key_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    hash bytea NOT NULL UNIQUE,
    name text NOT NULL,
    hint text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX api_keys_by_workspace ON ${schema}.api_keys (workspace_id)`,
  `CREATE TABLE ${schema}.connectors (
    workspace_id uuid NOT NULL,
    connector_id uuid NOT NULL,
    name text NOT NULL,
    source_name text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    is_active boolean NOT NULL,
    accepted_kinds text[] NOT NULL,
    metadata text NOT NULL,
    PRIMARY KEY (workspace_id, connector_id),
    UNIQUE (workspace_id, source_name)
  )`,
  // Counts that a restart forgets cost nothing; writing them to the log would cost every request.
  `CREATE UNLOGGED TABLE ${schema}.rate_windows (
    workspace_id uuid NOT NULL,
    operation text NOT NULL,
    asked_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    count integer NOT NULL,
    allowed boolean NOT NULL,
    PRIMARY KEY (workspace_id, operation)
  ) WITH (fillfactor = 50)`
]

export const accounts: Migration = { name: "accounts", oldestCompatible: 1, statements }
