/**
 * A change that is recorded in the audit log holds its account, which then is not deleted. Creating workspaces and
 * changing owners, which exclude each other, no longer wait for that: of two of them, each would hold the account.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE OR REPLACE FUNCTION ${schema}.has_room(p_account uuid, p_allowance bigint) RETURNS boolean
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR NO KEY UPDATE;
    RETURN FOUND AND (p_allowance IS NULL OR p_allowance > (
      SELECT count(*) FROM ${schema}.workspaces WHERE account_id = p_account AND kind = 'shared'));
  END $$`,

  `CREATE OR REPLACE FUNCTION ${schema}.hold_workspaces(p_account uuid) RETURNS uuid
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
  DECLARE
    v_personal uuid;
  BEGIN
    PERFORM FROM ${schema}.accounts WHERE account_id = p_account FOR NO KEY UPDATE;
    SELECT w.workspace_id INTO v_personal FROM ${schema}.workspaces w
      WHERE w.account_id = p_account AND w.kind = 'personal' ORDER BY w.workspace_id LIMIT 1 FOR NO KEY UPDATE;
    PERFORM FROM ${schema}.workspaces w WHERE w.account_id = p_account ORDER BY w.workspace_id FOR KEY SHARE;
    RETURN v_personal;
  END $$`
]

export const accountLocks: Migration = { name: "account_locks", oldestCompatible: 1, statements }
