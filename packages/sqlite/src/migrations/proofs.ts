/**
 * The proof of a user's e-mail. A proven e-mail belongs to one user of an account; any number of users may have it
 * unproven. Guests are users without an account.
 */
export const proofs = `
CREATE TABLE proven_users (
  user_id TEXT PRIMARY KEY, account_id TEXT, email TEXT, name TEXT NOT NULL, created_at INTEGER NOT NULL,
  email_proof TEXT NOT NULL DEFAULT 'none'
) STRICT;
INSERT INTO proven_users (user_id, account_id, email, name, created_at)
  SELECT user_id, account_id, email, name, created_at FROM users;
DROP TABLE users;
ALTER TABLE proven_users RENAME TO users;
CREATE UNIQUE INDEX users_by_proven_email ON users (account_id, email) WHERE email_proof <> 'none';
CREATE INDEX users_by_account ON users (account_id, email);
CREATE INDEX users_by_email ON users (email);
`

/**
 * Proofs for users of older releases: a user with an identity has proven the e-mail, and that of an account's owner
 * comes from the operator.
 */
export const proveStored = `
UPDATE users SET email_proof = 'openid' WHERE email_proof = 'none' AND email IS NOT NULL
  AND user_id IN (SELECT user_id FROM identities);
UPDATE users AS u SET email_proof = 'operator' WHERE email_proof = 'none' AND email IS NOT NULL
  AND EXISTS (SELECT 1 FROM members m JOIN workspaces w ON w.workspace_id = m.workspace_id
    WHERE m.user_id = u.user_id AND m.role = 'owner' AND w.kind = 'personal' AND w.account_id = u.account_id)
  AND NOT EXISTS (SELECT 1 FROM users o
    WHERE o.account_id = u.account_id AND o.email = u.email AND o.email_proof <> 'none');
`
