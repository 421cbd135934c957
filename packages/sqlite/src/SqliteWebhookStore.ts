/** Webhooks and their deliveries in SQLite. */
import { type WebhookRef, WebhookStore } from "@tributary/core/ports/WebhookStore"
import { repeatSteps } from "@tributary/core/ports/repeatSteps"
import { Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { first } from "./rows/first.ts"
import { timed } from "./internal/timed.ts"
import { date } from "./rows/Columns.ts"
import { DELIVERY, type DeliveryColumns, toDelivery } from "./writes/deliveries.ts"
import { toWebhook, WEBHOOK, type WebhookColumns } from "./writes/webhooks.ts"

const PRUNED_AT_ONCE = 1_000

const DELIVERIES = `SELECT ${DELIVERY} FROM webhook_deliveries WHERE workspace_id = ?1 AND webhook_id = ?2`

export const layer = Layer.effect(
  WebhookStore,
  Effect.gen(function*() {
    const { read, readOpen, write } = yield* Database

    return WebhookStore.of({
      insert: (workspaceId, webhook, maximum) => write("insertWebhook", workspaceId, webhook, maximum),

      find: (workspaceId, webhookId) =>
        readOpen(workspaceId, Option.none(), (db) =>
          first(
            db.get<WebhookColumns>(
              `SELECT ${WEBHOOK} FROM webhooks WHERE workspace_id = ? AND webhook_id = ?`,
              workspaceId,
              webhookId
            ),
            toWebhook
          )),

      list: (workspaceId) =>
        readOpen(workspaceId, [], (db) =>
          db.all<WebhookColumns>(
            `SELECT ${WEBHOOK} FROM webhooks WHERE workspace_id = ? ORDER BY webhook_id DESC`,
            workspaceId
          ).map(toWebhook)),

      update: (workspaceId, webhookId, change, from, fencingToken) =>
        Effect.map(
          timed(fencingToken, (at) => write("updateWebhook", workspaceId, webhookId, change, from, at)),
          Option.fromNullOr
        ),

      reseal: (workspaceId, webhookId, before, after) => write("resealWebhook", workspaceId, webhookId, before, after),

      remove: (workspaceId, webhookId) => write("removeWebhook", workspaceId, webhookId),

      due: (now, limit) =>
        read((db) =>
          db.all<WebhookRef>(
            `SELECT h.workspace_id, h.webhook_id FROM webhooks h JOIN workspaces w ON w.workspace_id = h.workspace_id
              WHERE h.status = 'active' AND h.due_at <= ? AND NOT w.suspended ORDER BY h.due_at LIMIT ?`,
            now,
            limit
          )
        ),

      wake: (workspaceId, webhookId, at) => write("wakeWebhook", workspaceId, webhookId, at),

      begin: (workspaceId, webhookId, until) =>
        Effect.map(write("beginWebhook", workspaceId, webhookId, until), Option.fromNullOr),

      append: (workspaceId, webhookId, messages, moved, kept) =>
        write("appendDeliveries", workspaceId, webhookId, messages, moved, kept),

      ready: (workspaceId, webhookId, now, limit) =>
        readOpen(workspaceId, [], (db) =>
          db.all<DeliveryColumns>(
            `${DELIVERIES} AND next_attempt_at <= ?3 ORDER BY next_attempt_at, seq LIMIT ?4`,
            workspaceId,
            webhookId,
            now,
            limit
          ).map(toDelivery)),

      backlog: (workspaceId, webhookId, limit) =>
        readOpen(workspaceId, { pending: 0, next: null }, (db) => {
          const { pending } = db.get<{ readonly pending: number }>(
            `SELECT count(*) AS pending FROM (SELECT 1 FROM webhook_deliveries
              WHERE webhook_id = ? AND status = 'pending' AND workspace_id = ? LIMIT ?)`,
            webhookId,
            workspaceId,
            limit
          )!
          const { next } = db.get<{ readonly next: number | null }>(
            `SELECT min(next_attempt_at) AS next FROM webhook_deliveries
              WHERE webhook_id = ? AND next_attempt_at IS NOT NULL AND workspace_id = ?`,
            webhookId,
            workspaceId
          )!
          return { pending, next: date(next) }
        }),

      record: (workspaceId, webhookId, seq, result, fencingToken) =>
        timed(fencingToken, (at) => write("recordDelivery", workspaceId, webhookId, seq, result, at)),

      deliveries: (workspaceId, webhookId, { after, limit, status }) =>
        readOpen(workspaceId, [], (db) =>
          db.all<DeliveryColumns>(
            `${DELIVERIES} ${status === null ? "AND ?3 IS NULL" : "AND status = ?3"}
              ${after === null ? "AND ?4 IS NULL" : "AND seq < ?4"} ORDER BY seq DESC LIMIT ?5`,
            workspaceId,
            webhookId,
            status,
            after,
            limit
          ).map(toDelivery)),

      findDelivery: (workspaceId, webhookId, eventId) =>
        readOpen(workspaceId, Option.none(), (db) =>
          first(
            db.get<DeliveryColumns>(`${DELIVERIES} AND event_id = ?3`, workspaceId, webhookId, eventId),
            toDelivery
          )),

      resend: (workspaceId, webhookId, eventId, now) =>
        Effect.map(write("resendDelivery", workspaceId, webhookId, eventId, now), Option.fromNullOr),

      prune: (before) => repeatSteps(PRUNED_AT_ONCE, write("pruneDeliveries", before, PRUNED_AT_ONCE))
    })
  })
)
