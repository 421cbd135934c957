/**
 * The proof of a user's e-mail. A proven e-mail belongs to one user of an account; any number of users may have it
 * unproven. Only the person who sees an invitation accepts it; a first sign-in does not.
 */
import type { Migration } from "./Migration.ts"

/**
 * Proofs for users of older releases: a user with an identity has proven the e-mail, and that of an account's owner
 * comes from the operator.
 */
export const proveStored = (schema: string): ReadonlyArray<string> => [
  `UPDATE ${schema}.users u SET email_proof = 'openid' WHERE u.email_proof = 'none' AND u.email IS NOT NULL
    AND EXISTS (SELECT FROM ${schema}.identities i WHERE i.user_id = u.user_id)`,
  `UPDATE ${schema}.users u SET email_proof = 'operator' WHERE u.email_proof = 'none' AND u.email IS NOT NULL
    AND EXISTS (SELECT FROM ${schema}.members m JOIN ${schema}.workspaces w ON w.workspace_id = m.workspace_id
      WHERE m.user_id = u.user_id AND m.role = 'owner' AND w.kind = 'personal' AND w.account_id = u.account_id)
    AND NOT EXISTS (SELECT FROM ${schema}.users o
      WHERE o.account_id = u.account_id AND o.email = u.email AND o.email_proof <> 'none')`
]

const tables = (schema: string): ReadonlyArray<string> => [
  `ALTER TABLE ${schema}.users ADD COLUMN email_proof text NOT NULL DEFAULT 'none',
    ALTER COLUMN account_id DROP NOT NULL, DROP CONSTRAINT users_account_id_email_key`,
  ...proveStored(schema),
  `CREATE UNIQUE INDEX users_by_proven_email ON ${schema}.users (account_id, email) WHERE email_proof <> 'none'`,
  `CREATE INDEX users_by_account ON ${schema}.users (account_id, email)`,
  `CREATE INDEX users_without_account ON ${schema}.users (user_id) WHERE account_id IS NULL`
]

const owners = (schema: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${schema}.proven_user(p_account uuid, p_email text) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT u.user_id FROM ${schema}.users u
      WHERE u.account_id = p_account AND u.email = p_email AND u.email_proof <> 'none' LIMIT 1
  $$`,

  `CREATE FUNCTION ${schema}.own_account(p_account uuid, p_user uuid, p_email text, p_name text, p_now timestamptz,
    p_proof text) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_personal uuid;
    v_owner uuid;
    v_taken boolean;
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR UPDATE;
    SELECT w.workspace_id INTO v_personal FROM ${schema}.workspaces w
      WHERE w.account_id = p_account AND w.kind = 'personal' ORDER BY w.workspace_id LIMIT 1 FOR NO KEY UPDATE;
    IF NOT FOUND THEN
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

  // For servers of the previous release that are still running.
  `CREATE OR REPLACE FUNCTION ${schema}.own_account(p_account uuid, p_user uuid, p_email text, p_name text,
    p_now timestamptz) RETURNS SETOF ${schema}.users LANGUAGE sql AS $$
    SELECT * FROM ${schema}.own_account(p_account, p_user, p_email, p_name, p_now,
      CASE WHEN p_email IS NULL THEN 'none' ELSE 'operator' END)
  $$`
]

const invitations = (schema: string): ReadonlyArray<string> => [
  `CREATE OR REPLACE FUNCTION ${schema}.invite(p_workspace uuid, p_invitation uuid, p_email text, p_role text,
    p_created_at timestamptz, p_created_by text, p_expires_at timestamptz, p_maximum integer) RETURNS text
  LANGUAGE plpgsql AS $$
  DECLARE
    v_account uuid;
    v_user uuid;
  BEGIN
    SELECT w.account_id INTO v_account FROM ${schema}.workspaces w WHERE w.workspace_id = p_workspace
      FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN 'full';
    END IF;
    IF EXISTS (
      SELECT FROM ${schema}.users u JOIN ${schema}.members m ON m.user_id = u.user_id
        WHERE u.email = p_email AND u.email_proof <> 'none' AND m.workspace_id = p_workspace
    ) THEN
      RETURN 'present';
    END IF;
    SELECT u.user_id INTO v_user FROM ${schema}.users u
      WHERE u.account_id = v_account AND u.email = p_email AND u.email_proof <> 'none' FOR KEY SHARE;
    IF FOUND THEN
      INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
        VALUES (p_workspace, v_user, p_role, p_created_at) ON CONFLICT DO NOTHING;
      RETURN CASE WHEN FOUND THEN 'joined' ELSE 'present' END;
    END IF;
    IF p_maximum <= (
      SELECT count(*) FROM ${schema}.invitations i
        WHERE i.workspace_id = p_workspace AND i.email <> p_email AND i.expires_at > p_created_at
    ) THEN
      RETURN 'full';
    END IF;
    WITH gone AS (
      DELETE FROM ${schema}.invitations i WHERE i.workspace_id = p_workspace AND i.email = p_email
      RETURNING i.invitation_id
    ) DELETE FROM ${schema}.sign_in_links l USING gone WHERE l.subject = gone.invitation_id;
    INSERT INTO ${schema}.invitations VALUES
      (p_invitation, p_workspace, v_account, p_email, p_role, p_created_at, p_created_by, p_expires_at);
    RETURN 'invited';
  END $$`,

  // Blocks a concurrent closing of the workspace.
  `CREATE FUNCTION ${schema}.take_invitation(p_invitation uuid, p_now timestamptz)
    RETURNS SETOF ${schema}.invitations LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.workspaces w WHERE w.workspace_id = (
      SELECT i.workspace_id FROM ${schema}.invitations i WHERE i.invitation_id = p_invitation) FOR KEY SHARE;
    RETURN QUERY DELETE FROM ${schema}.invitations i WHERE i.invitation_id = p_invitation AND i.expires_at > p_now
      RETURNING i.*;
    IF FOUND THEN
      DELETE FROM ${schema}.sign_in_links l WHERE l.subject = p_invitation;
    END IF;
  END $$`,

  // Creates a separate user, even if others have the e-mail.
  `CREATE OR REPLACE FUNCTION ${schema}.accept_invitation(p_invitation uuid, p_new_user uuid, p_now timestamptz)
    RETURNS uuid LANGUAGE plpgsql AS $$
  DECLARE
    v_invitation ${schema}.invitations;
  BEGIN
    SELECT * INTO v_invitation FROM ${schema}.take_invitation(p_invitation, p_now);
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at)
      VALUES (p_new_user, v_invitation.account_id, v_invitation.email, v_invitation.email, p_now);
    INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
      VALUES (v_invitation.workspace_id, p_new_user, v_invitation.role, p_now);
    RETURN p_new_user;
  END $$`,

  // By a link, or else by the id of an invitation of the user's proven e-mail. Workspaces are locked before users, as
  // in changes of members.
  `CREATE FUNCTION ${schema}.join_workspace(p_user uuid, p_invitation uuid, p_link bytea, p_now timestamptz)
    RETURNS uuid LANGUAGE plpgsql AS $$
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
      UPDATE ${schema}.users u SET account_id = v_invitation.account_id WHERE u.user_id = p_user;
    END IF;
    RETURN v_invitation.workspace_id;
  END $$`,

  `CREATE FUNCTION ${schema}.decline_invitation(p_user uuid, p_invitation uuid) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_user ${schema}.users;
  BEGIN
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
  END $$`,

  // Deletes a guest without an invitation.
  `CREATE FUNCTION ${schema}.drop_guests(p_users uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM ${schema}.drop_homeless((
      SELECT array_agg(u.user_id) FROM ${schema}.users u
        WHERE u.user_id = ANY (p_users) AND u.account_id IS NULL
          AND NOT EXISTS (SELECT FROM ${schema}.invitations i WHERE i.email = u.email)));
  END $$`
]

const sessions = (schema: string): ReadonlyArray<string> => [
  // The link of a user comes from the operator, who vouches for the e-mail; previous sessions may belong to somebody
  // else.
  `CREATE OR REPLACE FUNCTION ${schema}.sign_in(p_link bytea, p_new_user uuid, p_maximum integer, p_session jsonb,
    p_hash bytea) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_now timestamptz := (p_session ->> 'created_at')::timestamptz;
    v_subject uuid;
    v_user ${schema}.users;
  BEGIN
    DELETE FROM ${schema}.sign_in_links l WHERE l.hash = p_link AND l.expires_at > v_now
      RETURNING l.subject INTO v_subject;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    SELECT * INTO v_user FROM ${schema}.users u WHERE u.user_id = v_subject;
    IF NOT FOUND THEN
      v_subject := ${schema}.accept_invitation(v_subject, p_new_user, v_now);
    ELSIF v_user.email IS NOT NULL AND v_user.email_proof = 'none'
      AND ${schema}.proven_user(v_user.account_id, v_user.email) IS NULL THEN
      UPDATE ${schema}.users u SET email_proof = 'operator' WHERE u.user_id = v_subject;
      DELETE FROM ${schema}.sessions s WHERE s.user_id = v_subject;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.open_session(v_subject, p_maximum, p_session, p_hash);
  END $$`,

  `CREATE FUNCTION ${schema}.sign_in_as(p_issuer text, p_subject text, p_email text, p_name text, p_guests boolean,
    p_new_user uuid, p_maximum integer, p_session jsonb, p_hash bytea) RETURNS SETOF ${schema}.users
  LANGUAGE plpgsql AS $$
  DECLARE
    v_now timestamptz := (p_session ->> 'created_at')::timestamptz;
    v_user uuid;
  BEGIN
    -- Of two first sign-ins at once, the second finds what the first has made.
    PERFORM pg_advisory_xact_lock(hashtextextended('${
    schema.replaceAll("\"", "")
  } ' || p_issuer || ' ' || p_subject, 0));
    SELECT i.user_id INTO v_user FROM ${schema}.identities i WHERE i.issuer = p_issuer AND i.subject = p_subject;
    IF NOT FOUND AND p_email IS NOT NULL THEN
      SELECT u.user_id INTO v_user FROM ${schema}.users u
        WHERE u.email = p_email AND u.email_proof = 'operator' ORDER BY u.user_id LIMIT 1 FOR UPDATE;
      IF FOUND THEN
        UPDATE ${schema}.users u SET email_proof = 'openid' WHERE u.user_id = v_user;
        DELETE FROM ${schema}.sessions s WHERE s.user_id = v_user;
      ELSIF p_guests AND EXISTS (
        SELECT FROM ${schema}.invitations i WHERE i.email = p_email AND i.expires_at > v_now
      ) THEN
        v_user := p_new_user;
        INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at, email_proof)
          VALUES (p_new_user, NULL, p_email, coalesce(p_name, p_email), v_now, 'openid');
      END IF;
      IF v_user IS NOT NULL THEN
        INSERT INTO ${schema}.identities VALUES (p_issuer, p_subject, v_user);
      END IF;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.open_session(v_user, p_maximum, p_session, p_hash);
  END $$`,

  // For servers of the previous release that are still running.
  `CREATE OR REPLACE FUNCTION ${schema}.sign_in_as(p_issuer text, p_subject text, p_email text, p_new_user uuid,
    p_maximum integer, p_session jsonb, p_hash bytea) RETURNS SETOF ${schema}.users LANGUAGE sql AS $$
    SELECT * FROM ${schema}.sign_in_as(p_issuer, p_subject, p_email, NULL, false, p_new_user, p_maximum, p_session,
      p_hash)
  $$`
]

export const proofs: Migration = {
  name: "proofs",
  oldestCompatible: 1,
  statements: (schema) => [...tables(schema), ...owners(schema), ...invitations(schema), ...sessions(schema)]
}
