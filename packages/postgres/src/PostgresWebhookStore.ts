/** Webhooks and their deliveries on Postgres. */
import type { EventId, WebhookId, WorkspaceId } from "@tributary/core/model/Id"
import { DeliveryAttempt } from "@tributary/core/model/Webhook"
import {
  type DeliveryRecord,
  type WebhookChange,
  type WebhookRecord,
  type WebhookRef,
  WebhookStore
} from "@tributary/core/ports/WebhookStore"
import { Effect, Layer, Schema } from "effect"
import type { Columns } from "./internal/rows/Columns.ts"
import { Database } from "./internal/Database.ts"
import { first } from "./internal/first.ts"
import { heldBy } from "./internal/rows/jobRows.ts"
import { deleteSteps } from "./internal/pruning.ts"
import { moment } from "./internal/moment.ts"
import { limitTo } from "./internal/page.ts"
import { setColumns } from "./internal/setColumns.ts"
import { execute, stored } from "./internal/storageErrors.ts"

type WebhookColumns = Columns<WebhookRecord, "event_types" | "created_by">

const toWebhook = ({ created_by, event_types, ...fields }: WebhookColumns): WebhookRecord => ({
  ...fields,
  created_by: JSON.parse(created_by),
  event_types: JSON.parse(event_types)
})

type DeliveryColumns = Columns<DeliveryRecord, "last_attempt">

const Attempt = Schema.fromJsonString(DeliveryAttempt)
const decodeAttempt = Schema.decodeSync(Attempt)
const encodeAttempt = Schema.encodeSync(Attempt)

const toDelivery = ({ last_attempt, ...fields }: DeliveryColumns): DeliveryRecord => ({
  ...fields,
  last_attempt: last_attempt === null ? null : decodeAttempt(last_attempt)
})

/** After every number of a delivery. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER

/** The number of deliveries deleted at a time. */
const STEP = 500

export const layer = Layer.effect(
  WebhookStore,
  Effect.gen(function*() {
    const database = yield* Database
    const { isOpen, our, sql } = database
    const columns = sql.literal(
      `h.webhook_id::text AS webhook_id, h.url, h.event_types, h.status, h.error, h.failing_since, h.failures,
      h.paused_until, h.secrets, h.previous_secret_expires_at, h.created_at, h.created_by,
      h.event_seq::double precision AS event_seq, h.noted`
    )
    const deliveryColumns = sql.literal(
      `d.seq::double precision AS seq, d.event_id::text AS event_id, d.event_type, d.subject, d.body, d.created_at,
      d.status, d.attempts, d.next_attempt_at, d.last_attempt`
    )
    const named = (workspaceId: WorkspaceId, webhookId: WebhookId) =>
      sql`h.webhook_id = ${webhookId}::uuid AND h.workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid
        AND ${isOpen(workspaceId)}`
    const owned = (workspaceId: WorkspaceId, webhookId: WebhookId) =>
      sql`EXISTS (SELECT FROM ${our("webhooks")} h WHERE ${named(workspaceId, webhookId)})`

    const changes = (change: WebhookChange) =>
      setColumns<WebhookChange>(sql, "h", {
        url: [change.url, "text"],
        event_types: [change.event_types && JSON.stringify(change.event_types), "text"],
        status: [change.status, "text"],
        error: [change.error, "text"],
        failing_since: [change.failing_since && moment(change.failing_since), "timestamptz"],
        failures: [change.failures, "double precision"],
        paused_until: [change.paused_until && moment(change.paused_until), "timestamptz"],
        secrets: [change.secrets, "text"],
        previous_secret_expires_at: [
          change.previous_secret_expires_at && moment(change.previous_secret_expires_at),
          "timestamptz"
        ]
      })

    return WebhookStore.of({
      insert: (workspaceId, webhook, maximum) =>
        stored(
          sql<{ readonly answer: "inserted" | "full" }>`SELECT ${our("insert_webhook")}(
              json_populate_record(NULL::${our("webhooks")}, ${
            JSON.stringify({
              ...webhook,
              workspace_id: workspaceId,
              event_types: JSON.stringify(webhook.event_types),
              created_by: JSON.stringify(webhook.created_by),
              due_at: webhook.created_at,
              delivery_seq: 0
            })
          }::text::json), ${maximum}::integer) AS answer`,
          ([row]) => row!.answer
        ),

      find: (workspaceId, webhookId) =>
        stored(
          sql<WebhookColumns>`SELECT ${columns} FROM ${our("webhooks")} h WHERE ${named(workspaceId, webhookId)}`,
          first(toWebhook)
        ),

      list: (workspaceId) =>
        stored(
          sql<WebhookColumns>`SELECT ${columns} FROM ${our("webhooks")} h
            WHERE h.workspace_id = ${workspaceId}::uuid AND ${isOpen(workspaceId)} ORDER BY h.webhook_id DESC`,
          (rows) => rows.map(toWebhook)
        ),

      update: (workspaceId, webhookId, change, from, fencingToken) =>
        stored(
          sql<WebhookColumns>`WITH ${heldBy(database, fencingToken)} UPDATE ${our("webhooks")} h SET ${changes(change)}
            WHERE ${named(workspaceId, webhookId)} AND (${from}::text IS NULL OR h.status = ${from}::text)
              AND EXISTS (SELECT FROM held)
            RETURNING ${columns}`,
          first(toWebhook)
        ),

      reseal: (workspaceId, webhookId, before, after) =>
        stored(
          sql`UPDATE ${our("webhooks")} h SET secrets = ${after}::text
            WHERE ${
            named(workspaceId, webhookId)
          } AND h.secrets IS NOT DISTINCT FROM ${before}::text RETURNING 1 AS one`,
          (rows) => rows.length > 0
        ),

      remove: (workspaceId, webhookId) =>
        stored(
          sql<{ readonly removed: boolean }>`
            SELECT ${our("remove_webhook")}(${workspaceId}::uuid, ${webhookId}::uuid) AS removed`,
          ([row]) => row?.removed === true
        ),

      due: (now, limit) =>
        stored(
          sql<WebhookRef>`SELECT h.workspace_id::text AS workspace_id, h.webhook_id::text AS webhook_id
            FROM ${our("webhooks")} h
            WHERE h.status = 'active' AND h.due_at >= '-infinity' AND h.due_at <= ${moment(now)}::timestamptz
              AND EXISTS (
                SELECT FROM ${our("workspaces")} w WHERE w.workspace_id = h.workspace_id AND NOT w.suspended OFFSET 0)
            ORDER BY h.due_at ${limitTo(sql, limit)}`,
          (rows) => rows
        ),

      wake: (workspaceId, webhookId, at) =>
        execute(
          sql`UPDATE ${our("webhooks")} h SET due_at = least(h.due_at, ${moment(at)}::timestamptz)
            WHERE ${named(workspaceId, webhookId)}`
        ),

      begin: (workspaceId, webhookId, until) =>
        stored(
          sql<WebhookColumns>`UPDATE ${our("webhooks")} h SET due_at = ${moment(until)}::timestamptz
            WHERE ${named(workspaceId, webhookId)} RETURNING ${columns}`,
          first(toWebhook)
        ),

      append: (workspaceId, webhookId, messages, moved, kept) =>
        stored(
          sql<{ readonly appended: boolean }>`SELECT ${our("append_deliveries")}(${workspaceId}::uuid,
            ${webhookId}::uuid, ${JSON.stringify(messages)}::text::json, ${moved?.from ?? null}::bigint,
            ${moved?.to ?? null}::bigint, ${moved?.noted ?? null}::text, ${kept}::bigint) AS appended`,
          ([row]) => row?.appended === true
        ),

      ready: (workspaceId, webhookId, now, limit) =>
        stored(
          sql<DeliveryColumns>`SELECT ${deliveryColumns}
            FROM ${our("deliveries_due")}(${webhookId}::uuid, ${moment(now)}::timestamptz, ${limit}::integer) d
            WHERE ${owned(workspaceId, webhookId)} ORDER BY d.next_attempt_at, d.seq`,
          (rows) => rows.map(toDelivery)
        ),

      backlog: (workspaceId, webhookId, limit) =>
        stored(
          sql<{ readonly pending: number; readonly next: Date | null }>`SELECT (
              SELECT count(*)::integer FROM (
                SELECT FROM ${our("webhook_deliveries")} d
                  WHERE d.webhook_id = ${webhookId}::uuid AND d.status = 'pending' ${limitTo(sql, limit)}) p
            ) AS pending, (
              SELECT d.next_attempt_at FROM ${our("deliveries_due")}(${webhookId}::uuid, 'infinity', 1) d
            ) AS next
            WHERE ${owned(workspaceId, webhookId)}`,
          ([row]) => row ?? { pending: 0, next: null }
        ),

      record: (workspaceId, webhookId, seq, { last_attempt, next_attempt_at, status }, fencingToken) =>
        stored(
          sql`WITH ${heldBy(database, fencingToken)} SELECT ${
            our("record_delivery")
          }(${workspaceId}::uuid, ${webhookId}::uuid, ${seq}::bigint,
            ${status}::text, ${moment(next_attempt_at)}::timestamptz, ${encodeAttempt(last_attempt)}::text)::text
            WHERE EXISTS (SELECT FROM held)`,
          (rows) => rows.length > 0
        ),

      deliveries: (workspaceId, webhookId, { after, limit, status }) =>
        stored(
          sql<DeliveryColumns>`SELECT ${deliveryColumns}
            FROM ${our("deliveries_before")}(${webhookId}::uuid, ${status}::text, ${after ?? AFTER_ALL}::bigint,
              ${limit}::integer) d
            WHERE ${owned(workspaceId, webhookId)} ORDER BY d.seq DESC`,
          (rows) => rows.map(toDelivery)
        ),

      findDelivery: (workspaceId, webhookId, eventId: EventId) =>
        stored(
          sql<DeliveryColumns>`SELECT ${deliveryColumns} FROM ${our("webhook_deliveries")} d
            WHERE d.webhook_id = ${webhookId}::uuid AND d.event_id = ${eventId}::uuid
              AND ${owned(workspaceId, webhookId)}`,
          first(toDelivery)
        ),

      resend: (workspaceId, webhookId, eventId, now) =>
        stored(
          sql<DeliveryColumns>`SELECT ${deliveryColumns} FROM ${our("resend_delivery")}(${workspaceId}::uuid,
            ${webhookId}::uuid, ${eventId}::uuid, ${moment(now)}::timestamptz) d`,
          first(toDelivery)
        ),

      prune: (before) =>
        deleteSteps(
          sql,
          STEP,
          our("webhook_deliveries"),
          sql`SELECT ctid FROM ${our("webhook_deliveries")}
            WHERE status <> 'pending' AND created_at < ${moment(before)}::timestamptz
            ORDER BY created_at ${limitTo(sql, STEP)}`
        )
    })
  })
)
