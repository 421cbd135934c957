/**
 * The closing of a workspace, and what counts its keys or takes away its members and invitations at the same time, lock
 * in one order, so that neither stops the other: accounts, workspaces, keys, users, invitations; rows of a table by id.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE OR REPLACE FUNCTION ${schema}.close_workspace(p_workspace uuid, p_erase jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_users uuid[];
    v_keys uuid[];
    v_now timestamptz := (p_erase ->> 'created_at')::timestamptz;
  BEGIN
    PERFORM FROM ${schema}.workspaces WHERE workspace_id = p_workspace FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    -- Waits for changes that are under way; those that come later find no row to lock.
    DELETE FROM ${schema}.counters WHERE workspace_id = p_workspace;
    DELETE FROM ${schema}.knowledge WHERE workspace_id = p_workspace;
    SELECT array_agg(k.key_id) INTO v_keys FROM (
      SELECT q.key_id FROM ${schema}.api_keys q WHERE q.workspace_id = p_workspace ORDER BY q.key_id FOR UPDATE
    ) k;
    DELETE FROM ${schema}.api_keys k WHERE k.key_id = ANY (v_keys);
    DELETE FROM ${schema}.key_traffic t WHERE t.key_id = ANY (v_keys);
    PERFORM ${schema}.revoke_made(v_keys, v_now);
    SELECT array_agg(m.user_id) INTO v_users FROM ${schema}.members m WHERE m.workspace_id = p_workspace;
    PERFORM FROM ${schema}.users u WHERE u.user_id = ANY (v_users) ORDER BY u.user_id FOR UPDATE;
    WITH gone AS (
      DELETE FROM ${schema}.invitations WHERE workspace_id = p_workspace RETURNING invitation_id
    ) DELETE FROM ${schema}.sign_in_links l USING gone WHERE l.subject = gone.invitation_id;
    DELETE FROM ${schema}.members WHERE workspace_id = p_workspace;
    PERFORM ${schema}.drop_homeless(v_users);
    PERFORM ${schema}.cancel_jobs(p_workspace, v_now, NULL, NULL);
    PERFORM ${schema}.enqueue(p_erase, NULL);
    -- Last, as it takes no further job then.
    DELETE FROM ${schema}.workspaces WHERE workspace_id = p_workspace;
    RETURN true;
  END $$`,

  // The workspaces of its users belong to other accounts: its own are closed already.
  `CREATE OR REPLACE FUNCTION ${schema}.remove_account(p_account uuid) RETURNS boolean
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE
    v_users uuid[];
  BEGIN
    DELETE FROM ${schema}.accounts WHERE account_id = p_account;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id IN (
      SELECT m.workspace_id FROM ${schema}.users u JOIN ${schema}.members m ON m.user_id = u.user_id
        WHERE u.account_id = p_account
    ) ORDER BY w.workspace_id FOR NO KEY UPDATE;
    SELECT array_agg(u.user_id) INTO v_users FROM (
      SELECT q.user_id FROM ${schema}.users q WHERE q.account_id = p_account ORDER BY q.user_id FOR UPDATE
    ) u;
    DELETE FROM ${schema}.members m WHERE m.user_id = ANY (v_users);
    PERFORM ${schema}.drop_homeless(v_users);
    DELETE FROM ${schema}.audit_log WHERE account_id = p_account;
    RETURN true;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.decline_invitation(p_user uuid, p_invitation uuid) RETURNS boolean
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE
    v_user ${schema}.users;
  BEGIN
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id = (
      SELECT i.workspace_id FROM ${schema}.invitations i WHERE i.invitation_id = p_invitation) FOR KEY SHARE;
    SELECT * INTO v_user FROM ${schema}.users u WHERE u.user_id = p_user AND u.email_proof <> 'none' FOR UPDATE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.invitations i WHERE i.invitation_id = p_invitation AND i.email = v_user.email;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.sign_in_links l WHERE l.subject = p_invitation;
    PERFORM ${schema}.drop_guests(ARRAY[p_user]);
    RETURN true;
  END $$`
]

export const closingOrder: Migration = { name: "closing_order", oldestCompatible: 1, statements }
