/** Writes of webhooks. */
import type { WebhookId, WorkspaceId } from "@tributary/core/model/Id"
import type { WebhookChange, WebhookRecord } from "@tributary/core/ports/WebhookStore"
import { isOpen } from "../internal/isOpen.ts"
import { mayWrite, type TimedFencingToken } from "./jobs.ts"
import { type Columns, date } from "../rows/Columns.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"
import { changedColumns } from "../internal/changedColumns.ts"

export type WebhookColumns = Columns<WebhookRecord, "event_types" | "created_by">

export const WEBHOOK = `webhook_id, url, event_types, status, error, failing_since, failures, paused_until, secrets,
  previous_secret_expires_at, created_at, created_by, event_seq, noted`

export const toWebhook = (row: WebhookColumns): WebhookRecord => ({
  ...row,
  event_types: JSON.parse(row.event_types),
  created_by: JSON.parse(row.created_by),
  created_at: new Date(row.created_at),
  failing_since: date(row.failing_since),
  paused_until: date(row.paused_until),
  previous_secret_expires_at: date(row.previous_secret_expires_at)
})

const OF_WEBHOOK = "workspace_id = ? AND webhook_id = ?"

export const webhookWrites = {
  insertWebhook: (db: SqliteConnection, workspaceId: WorkspaceId, webhook: WebhookRecord, maximum: number) => {
    const { held } = db.get<{ readonly held: number }>(
      "SELECT count(*) AS held FROM webhooks WHERE workspace_id = ?",
      workspaceId
    )!
    if (!isOpen(db, workspaceId) || held >= maximum) return "full" as const
    db.run(
      `INSERT INTO webhooks (workspace_id, ${WEBHOOK}, due_at, delivery_seq)
        SELECT workspace_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, event_seq, ?, ?, 0 FROM counters WHERE workspace_id = ?`,
      webhook.webhook_id,
      webhook.url,
      JSON.stringify(webhook.event_types),
      webhook.status,
      webhook.error,
      webhook.failing_since,
      webhook.failures,
      webhook.paused_until,
      webhook.secrets,
      webhook.previous_secret_expires_at,
      webhook.created_at,
      JSON.stringify(webhook.created_by),
      webhook.noted,
      webhook.created_at,
      workspaceId
    )
    return "inserted" as const
  },

  updateWebhook: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    change: WebhookChange,
    from: WebhookRecord["status"] | null,
    fencingToken: TimedFencingToken | undefined
  ): WebhookRecord | null => {
    if (!isOpen(db, workspaceId) || !mayWrite(db, fencingToken)) return null
    const { names, values } = changedColumns(change)
    const row = db.get<WebhookColumns>(
      `UPDATE webhooks SET url = url${names}
        WHERE ${OF_WEBHOOK} AND status = coalesce(?, status) RETURNING ${WEBHOOK}`,
      ...values,
      workspaceId,
      webhookId,
      from
    )
    return row === undefined ? null : toWebhook(row)
  },

  resealWebhook: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    before: string,
    after: string
  ): boolean =>
    isOpen(db, workspaceId) &&
    db.run(
        `UPDATE webhooks SET secrets = ? WHERE ${OF_WEBHOOK} AND secrets = ?`,
        after,
        workspaceId,
        webhookId,
        before
      ) >
      0,

  removeWebhook: (db: SqliteConnection, workspaceId: WorkspaceId, webhookId: WebhookId): boolean => {
    if (!isOpen(db, workspaceId)) return false
    if (db.run(`DELETE FROM webhooks WHERE ${OF_WEBHOOK}`, workspaceId, webhookId) === 0) return false
    db.run("DELETE FROM webhook_deliveries WHERE webhook_id = ?", webhookId)
    return true
  },

  wakeWebhook: (db: SqliteConnection, workspaceId: WorkspaceId, webhookId: WebhookId, at: Date): void => {
    db.run(`UPDATE webhooks SET due_at = min(due_at, ?) WHERE ${OF_WEBHOOK}`, at, workspaceId, webhookId)
  },

  beginWebhook: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    until: Date
  ): WebhookRecord | null => {
    if (!isOpen(db, workspaceId)) return null
    const row = db.get<WebhookColumns>(
      `UPDATE webhooks SET due_at = ? WHERE ${OF_WEBHOOK} RETURNING ${WEBHOOK}`,
      until,
      workspaceId,
      webhookId
    )
    return row === undefined ? null : toWebhook(row)
  }
}
