/** The rows of the table `t` that an export holds, as conditions on the tables of a schema. */
import type { RowScope } from "@tributary/core/transfer/transferredTables"

const ofOpenWorkspace = (schema: string) => `t.workspace_id IN (SELECT w.workspace_id FROM ${schema}.workspaces w)`

export const rowsInScope: Readonly<Record<RowScope, (schema: string) => string>> = {
  all: () => "true",
  workspace: ofOpenWorkspace,
  document: (schema) =>
    `EXISTS (SELECT FROM ${schema}.documents d JOIN ${schema}.workspaces w ON w.workspace_id = d.workspace_id
      WHERE d.document_id = t.document_id)`,
  key: (schema) => `t.key_id IN (SELECT k.key_id FROM ${schema}.api_keys k)`,
  acknowledged: (schema) => `${ofOpenWorkspace(schema)} AND t.queue IN ('ask', 'maintenance')`
}
