/**
 * Of two users of an account who prove the same e-mail at the same moment, the second one is treated as a user who
 * comes later: the e-mail is another's.
 */
import type { Migration } from "./Migration.ts"

const owners = (schema: string): ReadonlyArray<string> => [
  `CREATE OR REPLACE FUNCTION ${schema}.own_account(p_account uuid, p_user uuid, p_email text, p_name text,
    p_now timestamptz, p_proof text) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_personal uuid := ${schema}.hold_workspaces(p_account);
    v_owner uuid;
  BEGIN
    IF v_personal IS NULL THEN
      RETURN;
    END IF;
    SELECT m.user_id INTO v_owner FROM ${schema}.members m
      WHERE m.workspace_id = v_personal AND m.role = 'owner' ORDER BY m.user_id LIMIT 1;
    IF NOT FOUND THEN
      v_owner := p_user;
      INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
        SELECT p_user, p_account, p_email, p_name, p_now, p_proof
        WHERE ${schema}.proven_user(p_account, p_email) IS NULL
        ON CONFLICT (account_id, email) WHERE email_proof <> 'none' DO NOTHING;
      IF NOT FOUND THEN
        INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
          VALUES (p_user, p_account, NULL, p_name, p_now, 'none');
      END IF;
      INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
        SELECT w.workspace_id, p_user, 'owner', p_now FROM ${schema}.workspaces w WHERE w.account_id = p_account;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.users u WHERE u.user_id = v_owner;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.give_account(p_account uuid, p_user uuid, p_email text, p_proof text,
    p_name text, p_created_at timestamptz, p_now timestamptz) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
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
      INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
        SELECT p_user, p_account, p_email, p_name, p_created_at, p_proof
        WHERE ${schema}.proven_user(p_account, p_email) IS NULL
        ON CONFLICT (account_id, email) WHERE email_proof <> 'none' DO NOTHING RETURNING user_id INTO v_owner;
    END IF;
    IF NOT FOUND THEN
      SELECT u.user_id INTO v_owner FROM ${schema}.users u
        WHERE u.account_id = p_account AND u.email = p_email AND u.email_proof <> 'none' FOR KEY SHARE;
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

const users = (schema: string): ReadonlyArray<string> => [
  // Null keeps a field. An e-mail is given to a user without one.
  `CREATE FUNCTION ${schema}.change_user(p_user uuid, p_name text, p_email text) RETURNS SETOF ${schema}.users
  LANGUAGE plpgsql AS $$
  BEGIN
    RETURN QUERY UPDATE ${schema}.users u SET
        name = coalesce(p_name, u.name), email = coalesce(p_email, u.email),
        email_proof = CASE WHEN p_email IS NULL THEN u.email_proof ELSE 'operator' END
      WHERE u.user_id = p_user
        AND (p_email IS NULL OR (u.email IS NULL AND ${schema}.proven_user(u.account_id, p_email) IS NULL))
      RETURNING u.*;
  EXCEPTION WHEN unique_violation THEN
    RETURN;
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.sign_in(p_link bytea, p_new_user uuid, p_maximum integer, p_session jsonb,
    p_hash bytea) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_now timestamptz := (p_session ->> 'created_at')::timestamptz;
    v_subject uuid;
    v_user ${schema}.users;
  BEGIN
    SELECT l.subject INTO v_subject FROM ${schema}.sign_in_links l WHERE l.hash = p_link;
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id = (
      SELECT i.workspace_id FROM ${schema}.invitations i WHERE i.invitation_id = v_subject) FOR KEY SHARE;
    PERFORM FROM ${schema}.invitations i WHERE i.invitation_id = v_subject FOR UPDATE;
    PERFORM FROM ${schema}.users u WHERE u.user_id = v_subject FOR NO KEY UPDATE;
    UPDATE ${schema}.sign_in_links l SET expires_at = 'epoch' WHERE l.hash = p_link AND l.expires_at > v_now;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    SELECT * INTO v_user FROM ${schema}.users u WHERE u.user_id = v_subject;
    IF NOT FOUND THEN
      v_subject := ${schema}.accept_invitation(v_subject, p_new_user, v_now);
    ELSIF v_user.email IS NOT NULL AND v_user.email_proof = 'none'
      AND ${schema}.proven_user(v_user.account_id, v_user.email) IS NULL THEN
      BEGIN
        UPDATE ${schema}.users u SET email_proof = 'operator' WHERE u.user_id = v_subject;
        DELETE FROM ${schema}.sessions s WHERE s.user_id = v_subject;
      EXCEPTION WHEN unique_violation THEN
        NULL;
      END;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.open_session(v_subject, p_maximum, p_session, p_hash);
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.join_workspace(p_user uuid, p_invitation uuid, p_link bytea, p_now timestamptz)
    RETURNS uuid LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE
    v_invitation ${schema}.invitations;
    v_user ${schema}.users;
  BEGIN
    IF p_link IS NOT NULL THEN
      SELECT i.* INTO v_invitation FROM ${schema}.sign_in_links l
        JOIN ${schema}.invitations i ON i.invitation_id = l.subject
        WHERE l.hash = p_link AND l.expires_at > p_now;
    ELSE
      SELECT i.* INTO v_invitation FROM ${schema}.invitations i WHERE i.invitation_id = p_invitation;
    END IF;
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id = v_invitation.workspace_id FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    SELECT * INTO v_user FROM ${schema}.users u WHERE u.user_id = p_user FOR UPDATE;
    IF NOT FOUND OR p_link IS NULL AND (v_user.email_proof = 'none' OR v_user.email <> v_invitation.email) THEN
      RETURN NULL;
    END IF;
    SELECT * INTO v_invitation FROM ${schema}.take_invitation(v_invitation.invitation_id, p_now);
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
      VALUES (v_invitation.workspace_id, p_user, v_invitation.role, p_now) ON CONFLICT DO NOTHING;
    IF v_user.account_id IS NULL AND ${schema}.proven_user(v_invitation.account_id, v_user.email) IS NULL THEN
      BEGIN
        UPDATE ${schema}.users u SET account_id = v_invitation.account_id WHERE u.user_id = p_user;
      EXCEPTION WHEN unique_violation THEN
        NULL;
      END;
    END IF;
    RETURN v_invitation.workspace_id;
  END $$`
]

export const provenAtOnce: Migration = {
  name: "proven_at_once",
  oldestCompatible: 1,
  statements: (schema) => [...owners(schema), ...users(schema)]
}
