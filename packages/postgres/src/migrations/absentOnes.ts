/**
 * What is deleted meanwhile gets nothing: an account no workspace, a workspace no member, and a user no membership. A
 * closed workspace is no reason to suspend another one.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE OR REPLACE FUNCTION ${schema}.has_room(p_account uuid, p_allowance bigint) RETURNS boolean
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR UPDATE;
    RETURN FOUND AND (p_allowance IS NULL OR p_allowance > (
      SELECT count(*) FROM ${schema}.workspaces WHERE account_id = p_account AND kind = 'shared'));
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.suspend_made(p_workspace uuid, p_suspended boolean) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    v_made uuid[] := ARRAY[p_workspace];
  BEGIN
    UPDATE ${schema}.workspaces w SET suspended = p_suspended, suspended_with = NULL
      WHERE w.workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    LOOP
      SELECT array_agg(w.workspace_id) INTO v_made FROM ${schema}.workspaces w WHERE w.parent_id = ANY (v_made);
      EXIT WHEN v_made IS NULL;
      UPDATE ${schema}.workspaces w SET suspended = p_suspended,
          suspended_with = CASE WHEN p_suspended THEN p_workspace END
        WHERE w.workspace_id = ANY (v_made)
          AND CASE WHEN p_suspended THEN NOT w.suspended ELSE w.suspended_with = p_workspace END;
    END LOOP;
  END $$`,

  // The personal workspace of an account whose members are about to change in every workspace. One that is being closed
  // is waited for, and one that is closed afterwards loses its new member again.
  `CREATE FUNCTION ${schema}.hold_workspaces(p_account uuid) RETURNS uuid
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_personal uuid;
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR UPDATE;
    SELECT w.workspace_id INTO v_personal FROM ${schema}.workspaces w
      WHERE w.account_id = p_account AND w.kind = 'personal' ORDER BY w.workspace_id LIMIT 1 FOR NO KEY UPDATE;
    PERFORM FROM ${schema}.workspaces w WHERE w.account_id = p_account ORDER BY w.workspace_id FOR KEY SHARE;
    RETURN v_personal;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.own_account(p_account uuid, p_user uuid, p_email text, p_name text,
    p_now timestamptz, p_proof text) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_personal uuid := ${schema}.hold_workspaces(p_account);
    v_owner uuid;
    v_taken boolean;
  BEGIN
    IF v_personal IS NULL THEN
      RETURN;
    END IF;
    SELECT m.user_id INTO v_owner FROM ${schema}.members m
      WHERE m.workspace_id = v_personal AND m.role = 'owner' ORDER BY m.user_id LIMIT 1;
    IF NOT FOUND THEN
      v_owner := p_user;
      v_taken := ${schema}.proven_user(p_account, p_email) IS NOT NULL;
      INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
        VALUES (p_user, p_account, CASE WHEN v_taken THEN NULL ELSE p_email END, p_name, p_now,
          CASE WHEN v_taken THEN 'none' ELSE p_proof END);
      INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
        SELECT w.workspace_id, p_user, 'owner', p_now FROM ${schema}.workspaces w WHERE w.account_id = p_account;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.users u WHERE u.user_id = v_owner;
  END $$`,

  `CREATE FUNCTION ${schema}.give_account(p_account uuid, p_user uuid, p_email text, p_proof text, p_name text,
    p_created_at timestamptz, p_now timestamptz) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_personal uuid := ${schema}.hold_workspaces(p_account);
    v_owner uuid;
    v_others uuid[];
  BEGIN
    IF v_personal IS NULL THEN
      RETURN;
    END IF;
    SELECT u.user_id INTO v_owner FROM ${schema}.users u WHERE u.user_id = p_user FOR KEY SHARE;
    IF NOT FOUND THEN
      SELECT u.user_id INTO v_owner FROM ${schema}.users u
        WHERE u.account_id = p_account AND u.email = p_email AND u.email_proof <> 'none' FOR KEY SHARE;
    END IF;
    IF NOT FOUND THEN
      INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
        VALUES (p_user, p_account, p_email, p_name, p_created_at, p_proof) RETURNING user_id INTO v_owner;
    END IF;
    INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
      SELECT w.workspace_id, v_owner, 'owner', p_now FROM ${schema}.workspaces w WHERE w.account_id = p_account
      ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = 'owner';
    WITH gone AS (
      DELETE FROM ${schema}.members m WHERE m.workspace_id = v_personal AND m.user_id <> v_owner RETURNING m.user_id
    ) SELECT array_agg(user_id) INTO v_others FROM gone;
    PERFORM ${schema}.drop_homeless(v_others);
    RETURN QUERY SELECT * FROM ${schema}.users u WHERE u.user_id = v_owner;
  END $$`
]

export const absentOnes: Migration = { name: "absent_ones", oldestCompatible: 1, statements }
