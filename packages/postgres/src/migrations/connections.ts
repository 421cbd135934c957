/**
 * Connections, the states of their resources, and documents that are gone at their sources.
 *
 * A connection's documents are admitted under a row of `connectors` with the same id and a colon in its source name,
 * which is not a custom connector and does not count as one.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE TABLE ${schema}.connections (
    workspace_id uuid NOT NULL,
    connection_id uuid PRIMARY KEY,
    provider text NOT NULL,
    name text NOT NULL,
    config text NOT NULL,
    secrets text,
    sync_config text NOT NULL,
    resources text[] NOT NULL,
    connected_at timestamptz NOT NULL,
    created_by text NOT NULL,
    status text NOT NULL,
    error text,
    revision double precision NOT NULL
  )`,
  `CREATE INDEX connections_by_workspace ON ${schema}.connections (workspace_id, connected_at)`,
  `CREATE TABLE ${schema}.sync_states (
    workspace_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    resource text COLLATE "C" NOT NULL,
    job_id uuid,
    due_at timestamptz,
    is_live boolean NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (connection_id, resource)
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX sync_states_due ON ${schema}.sync_states (due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX sync_states_live ON ${schema}.sync_states (job_id) WHERE is_live`,
  `CREATE INDEX sync_states_by_workspace ON ${schema}.sync_states (workspace_id)`,
  `CREATE TABLE ${schema}.source_deletions (
    workspace_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    resource text COLLATE "C" NOT NULL,
    external_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (connection_id, resource, external_id)
  )`,
  `CREATE INDEX source_deletions_by_workspace ON ${schema}.source_deletions (workspace_id)`,

  `CREATE OR REPLACE FUNCTION ${schema}.insert_connector(p_workspace uuid, p_maximum integer, p_connector uuid,
    p_name text, p_source_name text, p_created_at timestamptz, p_created_by text, p_is_active boolean,
    p_accepted_kinds text[], p_metadata text) RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.workspaces WHERE workspace_id = p_workspace FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN 'full';
    END IF;
    IF EXISTS (
      SELECT FROM ${schema}.connectors WHERE workspace_id = p_workspace AND source_name = p_source_name
    ) THEN
      RETURN 'name_taken';
    END IF;
    IF p_maximum <= (
      SELECT count(*) FROM ${schema}.connectors WHERE workspace_id = p_workspace AND strpos(source_name, ':') = 0
    ) THEN
      RETURN 'full';
    END IF;
    INSERT INTO ${schema}.connectors VALUES (p_workspace, p_connector, p_name, p_source_name, p_created_at,
      p_created_by, p_is_active, p_accepted_kinds, p_metadata);
    RETURN 'inserted';
  END $$`,

  `CREATE FUNCTION ${schema}.insert_connection(p_workspace uuid, p_maximum integer, p_connection uuid,
    p_provider text, p_name text, p_config text, p_secrets text, p_sync_config text, p_resources text[],
    p_connected_at timestamptz, p_created_by text, p_status text, p_error text, p_revision double precision)
  RETURNS text LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.workspaces WHERE workspace_id = p_workspace FOR NO KEY UPDATE;
    IF NOT FOUND OR p_maximum <= (
      SELECT count(*) FROM ${schema}.connections WHERE workspace_id = p_workspace
    ) THEN
      RETURN 'full';
    END IF;
    INSERT INTO ${schema}.connections VALUES (p_workspace, p_connection, p_provider, p_name, p_config, p_secrets,
      p_sync_config, p_resources, p_connected_at, p_created_by, p_status, p_error, p_revision);
    INSERT INTO ${schema}.connectors VALUES (p_workspace, p_connection, p_name, p_provider || ':' || p_connection,
      p_connected_at, p_created_by, p_status <> 'paused', '{}', '{}');
    RETURN 'inserted';
  END $$`,

  // Waits for what is being admitted: once it has answered, nothing more comes in.
  `CREATE FUNCTION ${schema}.remove_connection(p_workspace uuid, p_connection uuid) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.counters WHERE workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.connections WHERE connection_id = p_connection AND workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.sync_states WHERE connection_id = p_connection;
    DELETE FROM ${schema}.source_deletions WHERE connection_id = p_connection;
    UPDATE ${schema}.connectors SET is_active = false
      WHERE workspace_id = p_workspace AND connector_id = p_connection;
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.save_sync_state(p_workspace uuid, p_connection uuid, p_resource text, p_holder uuid,
    p_job uuid, p_due_at timestamptz, p_is_live boolean, p_state text, p_follow jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_held uuid;
  BEGIN
    SELECT s.job_id INTO v_held FROM ${schema}.sync_states s
      JOIN ${schema}.workspaces w ON w.workspace_id = s.workspace_id
      WHERE s.connection_id = p_connection AND s.resource = p_resource AND s.workspace_id = p_workspace
      FOR UPDATE OF s;
    IF NOT FOUND OR v_held IS DISTINCT FROM p_holder THEN
      RETURN false;
    END IF;
    IF p_follow IS NOT NULL THEN
      IF EXISTS (SELECT FROM ${schema}.jobs j WHERE j.job_id = p_holder AND j.status IN ('queued', 'running')) THEN
        RETURN false;
      END IF;
      PERFORM ${schema}.enqueue(p_follow, NULL);
    END IF;
    UPDATE ${schema}.sync_states SET job_id = p_job, due_at = p_due_at, is_live = p_is_live, state = p_state
      WHERE connection_id = p_connection AND resource = p_resource;
    RETURN true;
  END $$`
]

export const connections: Migration = { name: "connections", oldestCompatible: 1, statements }
