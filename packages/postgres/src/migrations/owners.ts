/** An account gets its owner back, or another one. */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE FUNCTION ${schema}.set_owner(p_account uuid, p_user uuid, p_email text, p_proof text, p_name text,
    p_created_at timestamptz, p_now timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    v_personal uuid;
    v_others uuid[];
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR UPDATE;
    SELECT w.workspace_id INTO v_personal FROM ${schema}.workspaces w
      WHERE w.account_id = p_account AND w.kind = 'personal' ORDER BY w.workspace_id LIMIT 1 FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
      VALUES (p_user, p_account, p_email, p_name, p_created_at, p_proof) ON CONFLICT (user_id) DO NOTHING;
    INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
      SELECT w.workspace_id, p_user, 'owner', p_now FROM ${schema}.workspaces w WHERE w.account_id = p_account
      ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = 'owner';
    WITH gone AS (
      DELETE FROM ${schema}.members m WHERE m.workspace_id = v_personal AND m.user_id <> p_user RETURNING m.user_id
    ) SELECT array_agg(user_id) INTO v_others FROM gone;
    PERFORM ${schema}.drop_homeless(v_others);
    RETURN true;
  END $$`
]

export const owners: Migration = { name: "owners", oldestCompatible: 1, statements }
