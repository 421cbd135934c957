/** Users, their roles, invitations, links and sessions, the audit log, and the traffic of keys. */
import type { Migration } from "./Migration.ts"

const tables = (schema: string): ReadonlyArray<string> => [
  `CREATE TABLE ${schema}.users (
    user_id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    email text COLLATE "C",
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (account_id, email)
  )`,
  `CREATE INDEX users_by_email ON ${schema}.users (email)`,
  `CREATE TABLE ${schema}.members (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
  )`,
  `CREATE INDEX members_by_user ON ${schema}.members (user_id, workspace_id)`,
  `CREATE TABLE ${schema}.invitations (
    invitation_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    account_id uuid NOT NULL,
    email text COLLATE "C" NOT NULL,
    role text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    expires_at timestamptz NOT NULL,
    UNIQUE (workspace_id, email)
  )`,
  `CREATE INDEX invitations_by_email ON ${schema}.invitations (email)`,
  // The external identity of a user: one each.
  `CREATE TABLE ${schema}.identities (
    issuer text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    user_id uuid NOT NULL UNIQUE,
    PRIMARY KEY (issuer, subject)
  )`,
  // The subject is a user's id or an invitation's; if it is deleted, the link opens nothing.
  `CREATE TABLE ${schema}.sign_in_links (
    hash bytea PRIMARY KEY,
    subject uuid NOT NULL UNIQUE,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE TABLE ${schema}.sessions (
    session_id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    user_agent text,
    address text
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX sessions_by_user ON ${schema}.sessions (user_id, session_id)`,
  `CREATE TABLE ${schema}.audit_log (
    entry_id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    workspace_id uuid,
    action text NOT NULL,
    actor text NOT NULL,
    subject text NOT NULL,
    details text NOT NULL,
    address text,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX audit_log_by_account ON ${schema}.audit_log (account_id, entry_id)`,
  `CREATE INDEX audit_log_by_workspace ON ${schema}.audit_log (workspace_id, entry_id) WHERE workspace_id IS NOT NULL`,
  `CREATE INDEX audit_log_by_age ON ${schema}.audit_log (created_at)`,
  `CREATE TABLE ${schema}.key_traffic (
    key_id uuid NOT NULL,
    day date NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (key_id, day)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX key_traffic_by_day ON ${schema}.key_traffic (day)`
]

const removals = (schema: string): ReadonlyArray<string> => [
  // A user without a workspace is removed.
  `CREATE FUNCTION ${schema}.drop_homeless(p_users uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    v_gone uuid[];
  BEGIN
    -- Of two who take away a user's last two workspaces at once, the second sees that both are gone.
    PERFORM FROM ${schema}.users u WHERE u.user_id = ANY (p_users) ORDER BY u.user_id FOR UPDATE;
    WITH gone AS (
      DELETE FROM ${schema}.users u WHERE u.user_id = ANY (p_users)
        AND NOT EXISTS (SELECT FROM ${schema}.members m WHERE m.user_id = u.user_id)
      RETURNING u.user_id
    ) SELECT array_agg(user_id) INTO v_gone FROM gone;
    DELETE FROM ${schema}.identities WHERE user_id = ANY (v_gone);
    DELETE FROM ${schema}.sessions WHERE user_id = ANY (v_gone);
    DELETE FROM ${schema}.sign_in_links WHERE subject = ANY (v_gone);
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.close_workspace(p_workspace uuid, p_erase jsonb) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    v_users uuid[];
  BEGIN
    DELETE FROM ${schema}.workspaces WHERE workspace_id = p_workspace;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    -- Waits for changes that are under way; those that come later find no row to lock.
    DELETE FROM ${schema}.counters WHERE workspace_id = p_workspace;
    DELETE FROM ${schema}.knowledge WHERE workspace_id = p_workspace;
    WITH gone AS (
      DELETE FROM ${schema}.api_keys WHERE workspace_id = p_workspace RETURNING key_id
    ) DELETE FROM ${schema}.key_traffic t USING gone WHERE t.key_id = gone.key_id;
    WITH gone AS (
      DELETE FROM ${schema}.invitations WHERE workspace_id = p_workspace RETURNING invitation_id
    ) DELETE FROM ${schema}.sign_in_links l USING gone WHERE l.subject = gone.invitation_id;
    WITH gone AS (
      DELETE FROM ${schema}.members WHERE workspace_id = p_workspace RETURNING user_id
    ) SELECT array_agg(user_id) INTO v_users FROM gone;
    PERFORM ${schema}.drop_homeless(v_users);
    PERFORM ${schema}.cancel_jobs(p_workspace, (p_erase ->> 'created_at')::timestamptz, NULL, NULL);
    PERFORM ${schema}.enqueue(p_erase, NULL);
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.remove_account(p_account uuid) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${schema}.accounts WHERE account_id = p_account;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
    DELETE FROM ${schema}.members m USING ${schema}.users u WHERE u.account_id = p_account AND m.user_id = u.user_id;
    PERFORM ${schema}.drop_homeless((SELECT array_agg(user_id) FROM ${schema}.users WHERE account_id = p_account));
    DELETE FROM ${schema}.audit_log WHERE account_id = p_account;
    RETURN true;
  END $$`
]

// Changes of members lock the workspace's row first, so that they see each other.
const changes = (schema: string): ReadonlyArray<string> => [
  `CREATE OR REPLACE FUNCTION ${schema}.open_workspace(p_workspace uuid, p_account uuid, p_name text, p_kind text,
    p_tier text, p_created_at timestamptz, p_grandfathered boolean, p_suspended boolean, p_overrides jsonb)
    RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${schema}.workspaces VALUES
      (p_workspace, p_account, p_name, p_kind, p_tier, p_created_at, p_grandfathered, p_suspended, p_overrides);
    INSERT INTO ${schema}.counters (workspace_id) VALUES (p_workspace);
    INSERT INTO ${schema}.knowledge (workspace_id) VALUES (p_workspace);
    INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
      SELECT p_workspace, m.user_id, 'owner', p_created_at
      FROM ${schema}.workspaces w JOIN ${schema}.members m ON m.workspace_id = w.workspace_id
      WHERE w.account_id = p_account AND w.kind = 'personal' AND m.role = 'owner';
    RETURN true;
  END $$`,

  `CREATE FUNCTION ${schema}.own_account(p_account uuid, p_user uuid, p_email text, p_name text, p_now timestamptz)
    RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_personal uuid;
    v_owner uuid;
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
      INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at)
        VALUES (p_user, p_account,
          CASE WHEN EXISTS (SELECT FROM ${schema}.users u WHERE u.account_id = p_account AND u.email = p_email)
            THEN NULL ELSE p_email END,
          p_name, p_now);
      INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
        SELECT w.workspace_id, p_user, 'owner', p_now FROM ${schema}.workspaces w WHERE w.account_id = p_account;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.users u WHERE u.user_id = v_owner;
  END $$`,

  `CREATE FUNCTION ${schema}.set_role(p_workspace uuid, p_user uuid, p_role text) RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    v_role text;
  BEGIN
    PERFORM FROM ${schema}.workspaces WHERE workspace_id = p_workspace FOR NO KEY UPDATE;
    SELECT m.role INTO v_role FROM ${schema}.members m WHERE m.workspace_id = p_workspace AND m.user_id = p_user;
    IF NOT FOUND THEN
      RETURN 'absent';
    END IF;
    IF v_role = 'owner' AND p_role IS DISTINCT FROM 'owner' AND NOT EXISTS (
      SELECT FROM ${schema}.members m
        WHERE m.workspace_id = p_workspace AND m.role = 'owner' AND m.user_id <> p_user
    ) THEN
      RETURN 'last_owner';
    END IF;
    IF p_role IS NULL THEN
      DELETE FROM ${schema}.members m WHERE m.workspace_id = p_workspace AND m.user_id = p_user;
      PERFORM ${schema}.drop_homeless(ARRAY[p_user]);
    ELSE
      UPDATE ${schema}.members m SET role = p_role WHERE m.workspace_id = p_workspace AND m.user_id = p_user;
    END IF;
    RETURN 'changed';
  END $$`,

  `CREATE FUNCTION ${schema}.invite(p_workspace uuid, p_invitation uuid, p_email text, p_role text,
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
    SELECT u.user_id INTO v_user FROM ${schema}.users u WHERE u.account_id = v_account AND u.email = p_email
      FOR KEY SHARE;
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

  // None if the invitation is over, or if the e-mail belongs to another user by now: the link must not sign in an
  // existing user.
  `CREATE FUNCTION ${schema}.accept_invitation(p_invitation uuid, p_new_user uuid, p_now timestamptz) RETURNS uuid
  LANGUAGE plpgsql AS $$
  DECLARE
    v_invitation ${schema}.invitations;
  BEGIN
    PERFORM FROM ${schema}.workspaces w JOIN ${schema}.invitations i ON i.workspace_id = w.workspace_id
      WHERE i.invitation_id = p_invitation FOR KEY SHARE OF w;
    DELETE FROM ${schema}.invitations i WHERE i.invitation_id = p_invitation AND i.expires_at > p_now
      RETURNING * INTO v_invitation;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    DELETE FROM ${schema}.sign_in_links l WHERE l.subject = p_invitation;
    INSERT INTO ${schema}.users (user_id, account_id, email, name, created_at)
      VALUES (p_new_user, v_invitation.account_id, v_invitation.email, v_invitation.email, p_now)
      ON CONFLICT (account_id, email) DO NOTHING;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    INSERT INTO ${schema}.members (workspace_id, user_id, role, joined_at)
      VALUES (v_invitation.workspace_id, p_new_user, v_invitation.role, p_now);
    RETURN p_new_user;
  END $$`,

  `CREATE FUNCTION ${schema}.open_session(p_user uuid, p_maximum integer, p_session jsonb, p_hash bytea)
    RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.users u WHERE u.user_id = p_user FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    INSERT INTO ${schema}.sessions VALUES ((p_session ->> 'session_id')::uuid, p_user, p_hash,
      (p_session ->> 'created_at')::timestamptz, (p_session ->> 'last_seen_at')::timestamptz,
      (p_session ->> 'expires_at')::timestamptz, p_session ->> 'user_agent', p_session ->> 'address');
    DELETE FROM ${schema}.sessions s WHERE s.session_id IN (
      SELECT q.session_id FROM ${schema}.sessions q WHERE q.user_id = p_user
        ORDER BY q.session_id DESC OFFSET p_maximum);
    RETURN QUERY SELECT * FROM ${schema}.users u WHERE u.user_id = p_user;
  END $$`,

  `CREATE FUNCTION ${schema}.sign_in(p_link bytea, p_new_user uuid, p_maximum integer, p_session jsonb, p_hash bytea)
    RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
  DECLARE
    v_now timestamptz := (p_session ->> 'created_at')::timestamptz;
    v_subject uuid;
    v_user uuid;
  BEGIN
    DELETE FROM ${schema}.sign_in_links l WHERE l.hash = p_link AND l.expires_at > v_now
      RETURNING l.subject INTO v_subject;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    SELECT u.user_id INTO v_user FROM ${schema}.users u WHERE u.user_id = v_subject;
    IF NOT FOUND THEN
      v_user := ${schema}.accept_invitation(v_subject, p_new_user, v_now);
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.open_session(v_user, p_maximum, p_session, p_hash);
  END $$`,

  `CREATE FUNCTION ${schema}.sign_in_as(p_issuer text, p_subject text, p_email text, p_new_user uuid,
    p_maximum integer, p_session jsonb, p_hash bytea) RETURNS SETOF ${schema}.users LANGUAGE plpgsql AS $$
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
        WHERE u.email = p_email AND NOT EXISTS (SELECT FROM ${schema}.identities i WHERE i.user_id = u.user_id)
        ORDER BY u.user_id LIMIT 1 FOR UPDATE;
      IF NOT FOUND THEN
        SELECT ${schema}.accept_invitation(q.invitation_id, p_new_user, v_now) INTO v_user FROM (
          SELECT i.invitation_id FROM ${schema}.invitations i WHERE i.email = p_email AND i.expires_at > v_now
            ORDER BY i.invitation_id LIMIT 1
        ) q;
      END IF;
      IF v_user IS NOT NULL THEN
        INSERT INTO ${schema}.identities VALUES (p_issuer, p_subject, v_user);
        DELETE FROM ${schema}.sessions s WHERE s.user_id = v_user;
      END IF;
    END IF;
    RETURN QUERY SELECT * FROM ${schema}.open_session(v_user, p_maximum, p_session, p_hash);
  END $$`
]

export const people: Migration = {
  name: "people",
  oldestCompatible: 1,
  statements: (schema) => [...tables(schema), ...removals(schema), ...changes(schema)]
}
