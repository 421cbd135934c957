/** Accounts that are created and erased meanwhile: erased ones are refused at once, and leave no row. */
import { assert } from "vitest"
import type { RunningServer } from "../../serverProcess.ts"
import { ADMIN_TOKEN } from "../support/nodes.ts"
import type { TestStore } from "../support/stores.ts"
import { newText, request } from "../support/Tenant.ts"
import { isAnswered } from "./isAnswered.ts"

export class PassersBy {
  readonly #erased: Array<string> = []

  /** False if there was no response. */
  async pass(node: RunningServer, isAccount: boolean): Promise<boolean> {
    const asOperator = <A>(method: string, path: string, body?: object) =>
      request<A>(node, ADMIN_TOKEN, method, `/admin/v1${path}`, body)
    const opened = await asOperator<
      { readonly account_id: string; readonly personal_workspace: { readonly workspace_id: string } }
    >("POST", "/accounts", { name: "Passing by" })
    if (!isAnswered(opened, [201])) return false
    const { account_id, personal_workspace: { workspace_id } } = opened.body
    const issued = await asOperator<{ readonly secret: string }>("POST", `/workspaces/${workspace_id}/api-keys`, {
      name: "test",
      scopes: ["api:read", "api:write"]
    })
    if (!isAnswered(issued, [201])) return false
    const send = <A>(method: string, path: string, body?: object) =>
      request<A>(node, issued.body.secret, method, `/v1${path}`, body)
    const made = await send<{ readonly connector_id: string }>("POST", "/custom-connectors", {
      name: "Notes",
      source_name: "notes"
    })
    if (!isAnswered(made, [201])) return false
    const items = [{ external_id: "a", text: newText() }, { external_id: "b", text: newText(400) }]
    const path = `/custom-connectors/${made.body.connector_id}/ingest/text`
    if (!isAnswered(await send("POST", path, { items }), [200])) return false
    if (!isAnswered(await send("POST", "/knowledge/ask", { query: "What is a?", async: true }), [202])) return false

    const whole = isAccount ? `/accounts/${account_id}` : `/workspaces/${workspace_id}`
    if (!isAnswered(await asOperator("DELETE", whole), [200])) return false
    this.#erased.push(workspace_id)
    return isAnswered(await send("GET", "/usage/current"), [401]) &&
      isAnswered(await send("POST", path, { items }), [401])
  }

  /** While no server holds the store. */
  async isGone({ kind, query, schema }: TestStore): Promise<boolean> {
    if (this.#erased.length === 0) return true
    const ids = this.#erased.map((id) => `'${id}'`).join()
    // The audit log is the account's, and outlives its workspaces; the job that erased one stays visible for some time.
    const tables = await query<{ readonly name: string }>(
      kind === "embedded"
        ? `SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
          WHERE t.type = 'table' AND c.name = 'workspace_id' AND t.name <> 'audit_log'`
        : `SELECT c.table_name::text AS name
          FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
          WHERE c.table_schema = '${schema}' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
            AND c.table_name <> 'audit_log'`
    )
    assert.isAbove(tables.length, 5)
    const left = await query(
      tables.map(({ name }) =>
        `SELECT 1 FROM ${schema}.${name} WHERE workspace_id IN (${ids})${
          name === "jobs" ? " AND (queue <> 'maintenance' OR finished_at IS NULL)" : ""
        }`
      ).join(" UNION ALL ")
    )
    return left.length === 0
  }
}
