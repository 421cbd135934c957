/** Webhooks and their deliveries in memory. */
import type { WebhookId, WorkspaceId } from "@tributary/core/model/Id"
import { type DeliveryRecord, type WebhookRecord, WebhookStore } from "@tributary/core/ports/WebhookStore"
import { Clock, Effect, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { DeliveryTable } from "./internal/DeliveryTable.ts"
import { byText } from "./internal/Ordered.ts"
import { State, type WebhookRow } from "./internal/State.ts"

export const layer = Layer.effect(
  WebhookStore,
  Effect.gen(function*() {
    const { jobs, workspaces } = yield* State

    const rowOf = (workspaceId: WorkspaceId, webhookId: WebhookId) =>
      workspaces.get(workspaceId)?.webhooks.get(webhookId)

    const wake = (row: WebhookRow, at: Date): void => {
      if (at < row.dueAt) row.dueAt = new Date(at)
    }

    return WebhookStore.of({
      insert: (workspaceId, webhook, maximum) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined || workspace.webhooks.size >= maximum) return "full"
          const { eventSeq } = workspace.documents
          workspace.webhooks.set(webhook.webhook_id, {
            webhook: { ...copied(webhook), event_seq: eventSeq },
            dueAt: new Date(webhook.created_at),
            seenSeq: eventSeq,
            deliveries: new DeliveryTable()
          })
          return "inserted"
        }),

      find: (workspaceId, webhookId) => Effect.sync(() => found(rowOf(workspaceId, webhookId)?.webhook)),

      list: (workspaceId) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.webhooks.values() ?? []]
            .map(({ webhook }) => copied(webhook))
            .sort((left, right) => byText(right.webhook_id, left.webhook_id))
        ),

      update: (workspaceId, webhookId, change, from, fencingToken) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const row = jobs.mayWrite(fencingToken, millis) ? rowOf(workspaceId, webhookId) : undefined
          if (row === undefined || (from !== null && row.webhook.status !== from)) return Option.none<WebhookRecord>()
          row.webhook = { ...row.webhook, ...copied(change) }
          return found(row.webhook)
        }),

      reseal: (workspaceId, webhookId, before, after) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          if (row?.webhook.secrets !== before) return false
          row.webhook = { ...row.webhook, secrets: after }
          return true
        }),

      remove: (workspaceId, webhookId) =>
        Effect.sync(() => workspaces.get(workspaceId)?.webhooks.delete(webhookId) === true),

      due: (now, limit) =>
        Effect.sync(() =>
          [...workspaces].filter(([, { record }]) => !record.suspended).flatMap((
            [workspace_id, { documents, webhooks }]
          ) =>
            [...webhooks.values()].filter(({ dueAt, seenSeq, webhook }) =>
              webhook.status === "active" && (dueAt <= now || documents.eventSeq > seenSeq)
            ).map(({ dueAt, webhook: { webhook_id } }) => ({ dueAt, ref: { workspace_id, webhook_id } }))
          ).sort((left, right) => left.dueAt.getTime() - right.dueAt.getTime()).slice(0, limit).map(({ ref }) => ref)
        ),

      wake: (workspaceId, webhookId, at) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          if (row !== undefined) wake(row, at)
        }),

      begin: (workspaceId, webhookId, until) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          if (row === undefined) return Option.none<WebhookRecord>()
          row.dueAt = new Date(until)
          row.seenSeq = workspaces.get(workspaceId)!.documents.eventSeq
          return found(row.webhook)
        }),

      append: (workspaceId, webhookId, messages, moved, kept) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          if (row === undefined || (moved !== null && row.webhook.event_seq !== moved.from)) return false
          row.deliveries.append(copied(messages))
          if (moved === null) wake(row, new Date(0))
          else row.webhook = { ...row.webhook, event_seq: moved.to, noted: moved.noted }
          row.deliveries.keepNewest(kept)
          return true
        }),

      ready: (workspaceId, webhookId, now, limit) =>
        Effect.sync(() => {
          const scheduled = rowOf(workspaceId, webhookId)?.deliveries.scheduled ?? []
          return copied(scheduled.filter(({ next_attempt_at }) => next_attempt_at! <= now).slice(0, limit))
        }),

      backlog: (workspaceId, webhookId, limit) =>
        Effect.sync(() => {
          const { pendingCount = 0, scheduled: [next] = [] } = rowOf(workspaceId, webhookId)?.deliveries ?? {}
          return { pending: Math.min(pendingCount, limit), next: copied(next?.next_attempt_at ?? null) }
        }),

      record: (workspaceId, webhookId, seq, result, fencingToken) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          if (!jobs.mayWrite(fencingToken, millis)) return false
          const deliveries = rowOf(workspaceId, webhookId)?.deliveries
          const delivery = deliveries?.find(seq)
          if (deliveries === undefined || delivery === undefined) return true
          deliveries.put({ ...delivery, ...copied(result), attempts: delivery.attempts + 1 })
          if (result.status !== "pending") deliveries.release(delivery.subject)
          return true
        }),

      deliveries: (workspaceId, webhookId, { after, limit, status }) =>
        Effect.sync(() => {
          const all = rowOf(workspaceId, webhookId)?.deliveries.all ?? []
          const wanted = all.filter((delivery) =>
            (status === null || delivery.status === status) && (after === null || delivery.seq < after)
          )
          return copied(wanted.reverse().slice(0, limit))
        }),

      findDelivery: (workspaceId, webhookId, eventId) =>
        Effect.sync(() => found(rowOf(workspaceId, webhookId)?.deliveries.findByEvent(eventId))),

      resend: (workspaceId, webhookId, eventId, now) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          const delivery = row?.deliveries.findByEvent(eventId)
          if (row === undefined || delivery === undefined) return Option.none<DeliveryRecord>()
          const again: DeliveryRecord = { ...delivery, status: "pending", next_attempt_at: new Date(now) }
          row.deliveries.put(again)
          wake(row, now)
          return found(again)
        }),

      prune: (before) =>
        Effect.sync(() => {
          const rows = [...workspaces.values()].flatMap(({ webhooks }) => [...webhooks.values()])
          return rows.reduce(
            (pruned, { deliveries }) => pruned + deliveries.prune(({ created_at }) => created_at < before),
            0
          )
        })
    })
  })
)
