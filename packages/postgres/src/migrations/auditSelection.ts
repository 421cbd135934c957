/** Pages of an audit log with filters. Each is one range of the list's index. */
import type { Migration } from "./Migration.ts"
import { RANGED } from "./pages.ts"

// As `auditText` folds it.
const TEXT =
  `translate(concat_ws(E'\\n', e.action, e.actor::json ->> 'id', e.subject, coalesce(e.address, ''), e.details),
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`

const SELECTED = `(p_actions IS NULL OR e.action = ANY (p_actions) OR split_part(e.action, '.', 1) = ANY (p_actions))
  AND (p_actor IS NULL OR e.actor::json ->> 'id' = p_actor)
  AND (p_subject IS NULL OR e.subject = p_subject)
  AND (p_from IS NULL OR e.created_at >= p_from)
  AND (p_to IS NULL OR e.created_at < p_to)
  AND NOT EXISTS (SELECT FROM unnest(p_words) word WHERE strpos(${TEXT}, word) = 0)`

const statements: Migration["statements"] = (schema) => [
  `CREATE FUNCTION ${schema}.audit_selected(p_account uuid, p_workspace uuid, p_least uuid, p_before uuid,
    p_limit integer, p_actions text[], p_actor text, p_subject text, p_from timestamptz, p_to timestamptz,
    p_words text[]) RETURNS SETOF ${schema}.audit_log ${RANGED} AS $$
  BEGIN
    IF p_workspace IS NULL THEN
      RETURN QUERY SELECT * FROM ${schema}.audit_log e
        WHERE (e.account_id, e.entry_id) >= (p_account, p_least) AND (e.account_id, e.entry_id) < (p_account, p_before)
          AND ${SELECTED}
        ORDER BY e.account_id DESC, e.entry_id DESC LIMIT p_limit;
    ELSE
      RETURN QUERY SELECT * FROM ${schema}.audit_log e
        WHERE e.account_id IS NOT DISTINCT FROM p_account
          AND e.workspace_id >= p_workspace AND (e.workspace_id, e.entry_id) >= (p_workspace, p_least)
          AND (e.workspace_id, e.entry_id) < (p_workspace, p_before)
          AND ${SELECTED}
        ORDER BY e.workspace_id DESC, e.entry_id DESC LIMIT p_limit;
    END IF;
  END $$`
]

export const auditSelection: Migration = { name: "audit_selection", oldestCompatible: 1, statements }
