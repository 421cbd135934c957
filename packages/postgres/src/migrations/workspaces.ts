/** Functions that change several rows of a workspace at once, or count before they insert. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE FUNCTION ${schema}.open_workspace(p_workspace uuid, p_account uuid, p_name text, p_kind text, p_tier text,
    p_created_at timestamptz, p_grandfathered boolean, p_suspended boolean, p_overrides jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${schema}.workspaces VALUES
      (p_workspace, p_account, p_name, p_kind, p_tier, p_created_at, p_grandfathered, p_suspended, p_overrides);
    INSERT INTO ${schema}.counters (workspace_id) VALUES (p_workspace);
    INSERT INTO ${schema}.knowledge (workspace_id) VALUES (p_workspace);
    RETURN true;
  END $$`,

  // The account's row is locked before the count, so that two at once do not both see the last free place.
  `CREATE FUNCTION ${schema}.has_room(p_account uuid, p_allowance bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR UPDATE;
    RETURN p_allowance IS NULL OR p_allowance > (
      SELECT count(*) FROM ${schema}.workspaces WHERE account_id = p_account AND kind = 'shared');
  END $$`,

  `CREATE FUNCTION ${schema}.close_workspace(p_workspace uuid, p_erase jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${schema}.workspaces WHERE workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    -- Waits for changes that are under way; those that come later find no row to lock.
    DELETE FROM ${schema}.counters WHERE workspace_id = p_workspace;
    DELETE FROM ${schema}.knowledge WHERE workspace_id = p_workspace;
    DELETE FROM ${schema}.api_keys WHERE workspace_id = p_workspace;
    PERFORM ${schema}.cancel_jobs(p_workspace, (p_erase ->> 'created_at')::timestamptz, NULL, NULL);
    PERFORM ${schema}.enqueue(p_erase, NULL);
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.insert_connector(p_workspace uuid, p_maximum integer, p_connector uuid, p_name text,
    p_source_name text, p_created_at timestamptz, p_created_by text, p_is_active boolean, p_accepted_kinds text[],
    p_metadata text) RETURNS text LANGUAGE plpgsql AS $$
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
    IF p_maximum <= (SELECT count(*) FROM ${schema}.connectors WHERE workspace_id = p_workspace) THEN
      RETURN 'full';
    END IF;
    INSERT INTO ${schema}.connectors VALUES (p_workspace, p_connector, p_name, p_source_name, p_created_at,
      p_created_by, p_is_active, p_accepted_kinds, p_metadata);
    RETURN 'inserted';
  END $$`
]

export const workspaces: Migration = { name: "workspaces", oldestCompatible: 1, statements }
