/** Which key made a key, and from which workspace a workspace was made: what ends or is suspended with what. */
import type { Migration } from "./Migration.ts"

/**
 * For rows of older releases: the maker of a key is its creator, and only the first key of a workspace is made by a
 * key. Keys whose maker has ended since do not change.
 */
export const nameMakers = (schema: string): ReadonlyArray<string> => [
  `UPDATE ${schema}.api_keys k SET made_by = (k.created_by::jsonb ->> 'id')::uuid
    WHERE k.made_by IS NULL AND k.created_by::jsonb ->> 'type' = 'api_key'
      AND k.created_by::jsonb ->> 'id' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'`,
  `UPDATE ${schema}.workspaces w SET parent_id = m.workspace_id
    FROM ${schema}.api_keys k JOIN ${schema}.api_keys m ON m.key_id = k.made_by
    WHERE k.workspace_id = w.workspace_id AND w.parent_id IS NULL AND w.kind = 'shared'`
]

const tables = (schema: string): ReadonlyArray<string> => [
  `ALTER TABLE ${schema}.api_keys ADD COLUMN made_by uuid`,
  `ALTER TABLE ${schema}.workspaces ADD COLUMN parent_id uuid, ADD COLUMN suspended_with uuid`,
  ...nameMakers(schema),
  `CREATE INDEX api_keys_by_maker ON ${schema}.api_keys (made_by) WHERE made_by IS NOT NULL`,
  `CREATE INDEX workspaces_by_parent ON ${schema}.workspaces (parent_id) WHERE parent_id IS NOT NULL`
]

// Level by level: a key that is being made waits for the lock on its maker, and is seen by the next statement.
const keys = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.revoke_made(p_makers uuid[], p_now timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_keys uuid[] := p_makers;
  BEGIN
    LOOP
      SELECT array_agg(k.key_id) INTO v_keys FROM ${schema}.api_keys k WHERE k.made_by = ANY (v_keys);
      EXIT WHEN v_keys IS NULL;
      UPDATE ${schema}.api_keys k SET revoked_at = coalesce(k.revoked_at, p_now) WHERE k.key_id = ANY (v_keys);
    END LOOP;
  END $$`,

  `CREATE FUNCTION ${schema}.revoke_key(p_key uuid, p_within uuid, p_now timestamptz) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE ${schema}.api_keys k SET revoked_at = coalesce(k.revoked_at, p_now)
      WHERE k.key_id = p_key AND (p_within IS NULL OR k.workspace_id = p_within);
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    PERFORM ${schema}.revoke_made(ARRAY[p_key], p_now);
    RETURN true;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.close_workspace(p_workspace uuid, p_erase jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_users uuid[];
    v_keys uuid[];
    v_now timestamptz := (p_erase ->> 'created_at')::timestamptz;
  BEGIN
    DELETE FROM ${schema}.workspaces WHERE workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    -- Waits for changes that are under way; those that come later find no row to lock.
    DELETE FROM ${schema}.counters WHERE workspace_id = p_workspace;
    DELETE FROM ${schema}.knowledge WHERE workspace_id = p_workspace;
    SELECT array_agg(k.key_id) INTO v_keys FROM ${schema}.api_keys k WHERE k.workspace_id = p_workspace;
    DELETE FROM ${schema}.api_keys k WHERE k.key_id = ANY (v_keys);
    DELETE FROM ${schema}.key_traffic t WHERE t.key_id = ANY (v_keys);
    PERFORM ${schema}.revoke_made(v_keys, v_now);
    WITH gone AS (
      DELETE FROM ${schema}.invitations WHERE workspace_id = p_workspace RETURNING invitation_id
    ) DELETE FROM ${schema}.sign_in_links l USING gone WHERE l.subject = gone.invitation_id;
    WITH gone AS (
      DELETE FROM ${schema}.members WHERE workspace_id = p_workspace RETURNING user_id
    ) SELECT array_agg(user_id) INTO v_users FROM gone;
    PERFORM ${schema}.drop_homeless(v_users);
    PERFORM ${schema}.cancel_jobs(p_workspace, v_now, NULL, NULL);
    PERFORM ${schema}.enqueue(p_erase, NULL);
    RETURN true;
  END $$`
]

const workspaces = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.open_workspace_of(p_workspace uuid, p_account uuid, p_name text, p_kind text, p_tier text,
    p_created_at timestamptz, p_grandfathered boolean, p_suspended boolean, p_overrides jsonb, p_parent uuid)
    RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    v_parent ${schema}.workspaces;
  BEGIN
    PERFORM ${schema}.open_workspace(p_workspace, p_account, p_name, p_kind, p_tier, p_created_at, p_grandfathered,
      p_suspended, p_overrides);
    -- Who suspends the parent meanwhile sees this workspace, or is seen here.
    SELECT * INTO v_parent FROM ${schema}.workspaces w WHERE w.workspace_id = p_parent FOR SHARE;
    IF FOUND THEN
      UPDATE ${schema}.workspaces w SET parent_id = p_parent, suspended = w.suspended OR v_parent.suspended,
          suspended_with = CASE WHEN v_parent.suspended THEN coalesce(v_parent.suspended_with, p_parent) END
        WHERE w.workspace_id = p_workspace;
    END IF;
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.suspend_made(p_workspace uuid, p_suspended boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_made uuid[] := ARRAY[p_workspace];
  BEGIN
    UPDATE ${schema}.workspaces w SET suspended = p_suspended, suspended_with = NULL
      WHERE w.workspace_id = p_workspace;
    LOOP
      SELECT array_agg(w.workspace_id) INTO v_made FROM ${schema}.workspaces w WHERE w.parent_id = ANY (v_made);
      EXIT WHEN v_made IS NULL;
      UPDATE ${schema}.workspaces w SET suspended = p_suspended,
          suspended_with = CASE WHEN p_suspended THEN p_workspace END
        WHERE w.workspace_id = ANY (v_made)
          AND CASE WHEN p_suspended THEN NOT w.suspended ELSE w.suspended_with = p_workspace END;
    END LOOP;
  END $$`
]

export const makers: Migration = {
  name: "makers",
  oldestCompatible: 1,
  statements: (schema) => [...tables(schema), ...keys(schema), ...workspaces(schema)]
}
