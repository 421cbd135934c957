/**
 * Signing in by a link locks in the order in which its user is deleted, or its invitation taken back, so that neither
 * stops the other.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
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
      UPDATE ${schema}.users u SET email_proof = 'operator' WHERE u.user_id = v_subject;
      DELETE FROM ${schema}.sessions s WHERE s.user_id = v_subject;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.open_session(v_subject, p_maximum, p_session, p_hash);
  END $$`
]

export const lockOrder: Migration = { name: "lock_order", oldestCompatible: 1, statements }
