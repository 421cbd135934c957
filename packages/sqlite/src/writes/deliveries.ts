/** Writes of the deliveries of webhooks. */
import type { DeliveryAttempt } from "@tributary/core/model/Webhook"
import type { EventId, WebhookId, WorkspaceId } from "@tributary/core/model/Id"
import type { DeliveryRecord, Message } from "@tributary/core/ports/WebhookStore"
import { isOpen } from "../internal/isOpen.ts"
import { mayWrite, type TimedFencingToken } from "./jobs.ts"
import { type Columns, date } from "../rows/Columns.ts"
import type { SqliteConnection } from "../internal/SqliteConnection.ts"

export type DeliveryColumns = Columns<DeliveryRecord, "last_attempt">

export const DELIVERY =
  "seq, event_id, event_type, subject, body, created_at, status, attempts, next_attempt_at, last_attempt"

const toAttempt = (json: string): DeliveryAttempt => {
  const attempt = JSON.parse(json)
  return { ...attempt, at: new Date(attempt.at) }
}

export const toDelivery = (row: DeliveryColumns): DeliveryRecord => ({
  ...row,
  created_at: new Date(row.created_at),
  next_attempt_at: date(row.next_attempt_at),
  last_attempt: row.last_attempt === null ? null : toAttempt(row.last_attempt)
})

/** The maximum number of finished deliveries that one write deletes, so that it does not take long. */
const TRIMMED_AT_ONCE = 1_000

const insert = (
  db: SqliteConnection,
  workspaceId: WorkspaceId,
  webhookId: WebhookId,
  seq: number,
  message: Message
): void => {
  db.run(
    `INSERT INTO webhook_deliveries (webhook_id, workspace_id, ${DELIVERY})
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'pending', 0, iif(EXISTS (
        SELECT 1 FROM webhook_deliveries WHERE webhook_id = ?1 AND subject = ?6 AND status = 'pending'), NULL, ?8), NULL)`,
    webhookId,
    workspaceId,
    seq,
    message.event_id,
    message.event_type,
    message.subject,
    message.body,
    message.created_at
  )
}

export const deliveryWrites = {
  appendDeliveries: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    messages: ReadonlyArray<Message>,
    moved: { readonly from: number; readonly to: number; readonly noted: string } | null,
    kept: number
  ): boolean => {
    const webhook = db.get<{ readonly event_seq: number; readonly delivery_seq: number }>(
      "SELECT event_seq, delivery_seq FROM webhooks WHERE workspace_id = ? AND webhook_id = ?",
      workspaceId,
      webhookId
    )
    if (webhook === undefined || !isOpen(db, workspaceId)) return false
    if (moved !== null && webhook.event_seq !== moved.from) return false
    let seq = webhook.delivery_seq
    for (const message of messages) {
      const known = db.get(
        "SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND event_id = ?",
        webhookId,
        message.event_id
      )
      if (known === undefined) insert(db, workspaceId, webhookId, ++seq, message)
    }
    if (moved === null) {
      db.run("UPDATE webhooks SET due_at = 0, delivery_seq = ? WHERE webhook_id = ?", seq, webhookId)
    } else {
      db.run(
        "UPDATE webhooks SET event_seq = ?, noted = ?, delivery_seq = ? WHERE webhook_id = ?",
        moved.to,
        moved.noted,
        seq,
        webhookId
      )
    }
    db.run(
      `DELETE FROM webhook_deliveries WHERE rowid IN (
        SELECT rowid FROM webhook_deliveries WHERE webhook_id = ? AND status <> 'pending' AND seq <= ? ORDER BY seq LIMIT ?)`,
      webhookId,
      seq - kept,
      TRIMMED_AT_ONCE
    )
    return true
  },

  recordDelivery: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    seq: number,
    { last_attempt, next_attempt_at, status }: Pick<DeliveryRecord, "status" | "next_attempt_at" | "last_attempt">,
    fencingToken: TimedFencingToken | undefined
  ): boolean => {
    if (!mayWrite(db, fencingToken)) return false
    const row = db.get<{ readonly subject: string }>(
      `UPDATE webhook_deliveries SET status = ?, next_attempt_at = ?, last_attempt = ?, attempts = attempts + 1
        WHERE workspace_id = ? AND webhook_id = ? AND seq = ? RETURNING subject`,
      status,
      next_attempt_at,
      JSON.stringify(last_attempt),
      workspaceId,
      webhookId,
      seq
    )
    if (row === undefined || status === "pending") return true
    db.run(
      `UPDATE webhook_deliveries SET next_attempt_at = coalesce(next_attempt_at, created_at)
        WHERE webhook_id = ?1 AND seq = (
          SELECT seq FROM webhook_deliveries WHERE webhook_id = ?1 AND subject = ?2 AND status = 'pending'
            ORDER BY seq LIMIT 1)`,
      webhookId,
      row.subject
    )
    return true
  },

  resendDelivery: (
    db: SqliteConnection,
    workspaceId: WorkspaceId,
    webhookId: WebhookId,
    eventId: EventId,
    now: Date
  ): DeliveryRecord | null => {
    if (!isOpen(db, workspaceId)) return null
    const row = db.get<DeliveryColumns>(
      `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = ?
        WHERE workspace_id = ? AND webhook_id = ? AND event_id = ? RETURNING ${DELIVERY}`,
      now,
      workspaceId,
      webhookId,
      eventId
    )
    if (row === undefined) return null
    db.run("UPDATE webhooks SET due_at = min(due_at, ?) WHERE webhook_id = ?", now, webhookId)
    return toDelivery(row)
  },

  pruneDeliveries: (db: SqliteConnection, before: Date, limit: number): number =>
    db.run(
      `DELETE FROM webhook_deliveries WHERE rowid IN (
        SELECT rowid FROM webhook_deliveries WHERE status <> 'pending' AND created_at < ? LIMIT ?)`,
      before,
      limit
    )
}
