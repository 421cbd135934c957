/**
 * Accounts that a statement holds against their deletion before it does anything else. Like the scopes of row-level
 * security, this is the check of a parameter's type, so it takes no round trip.
 */
import type { Migration } from "./Migration.ts"

const statements: Migration["statements"] = (schema) => [
  `CREATE FUNCTION ${schema}.hold_accounts(p_accounts text) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM ${schema}.accounts a WHERE a.account_id = ANY (p_accounts::uuid[])
      ORDER BY a.account_id FOR KEY SHARE;
    RETURN true;
  END $$`,

  `CREATE DOMAIN ${schema}.held_accounts AS text CHECK (${schema}.hold_accounts(VALUE))`
]

export const heldAccounts: Migration = { name: "held_accounts", oldestCompatible: 1, statements }
