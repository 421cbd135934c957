/** Webhooks and their deliveries in memory. */
import type { WebhookId, WorkspaceId } from "@tributary/core/model/Id"
import { type DeliveryRecord, type WebhookRecord, WebhookStore } from "@tributary/core/ports/WebhookStore"
import { Effect, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { State, type WebhookRow } from "./internal/State.ts"

const isPending = ({ status }: DeliveryRecord): boolean => status === "pending"

const put = (row: WebhookRow, delivery: DeliveryRecord): void => {
  row.deliveries.set(delivery.seq, delivery)
  if (isPending(delivery)) row.pending.add(delivery.seq)
  else row.pending.delete(delivery.seq)
}

const drop = (row: WebhookRow, { event_id, seq }: DeliveryRecord): void => {
  row.deliveries.delete(seq)
  row.pending.delete(seq)
  row.seqs.delete(event_id)
}

const pendingOf = (row: WebhookRow): ReadonlyArray<DeliveryRecord> =>
  [...row.pending].sort((left, right) => left - right).map((seq) => row.deliveries.get(seq)!)

const byDue = (left: DeliveryRecord, right: DeliveryRecord): number =>
  left.next_attempt_at!.getTime() - right.next_attempt_at!.getTime() || left.seq - right.seq

export const layer = Layer.effect(
  WebhookStore,
  Effect.gen(function*() {
    const { workspaces } = yield* State

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
            seq: 0,
            deliveries: new Map(),
            pending: new Set(),
            seqs: new Map()
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

      update: (workspaceId, webhookId, change, from) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
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
          const busy = new Set(pendingOf(row).map(({ subject }) => subject))
          for (const message of messages) {
            if (row.seqs.has(message.event_id)) continue
            const seq = ++row.seq
            row.seqs.set(message.event_id, seq)
            put(row, {
              ...copied(message),
              seq,
              status: "pending",
              attempts: 0,
              next_attempt_at: busy.has(message.subject) ? null : new Date(message.created_at),
              last_attempt: null
            })
            busy.add(message.subject)
          }
          if (moved === null) wake(row, new Date(0))
          else row.webhook = { ...row.webhook, event_seq: moved.to, noted: moved.noted }
          for (const delivery of row.deliveries.values()) {
            if (delivery.seq > row.seq - kept) break
            if (!isPending(delivery)) drop(row, delivery)
          }
          return true
        }),

      ready: (workspaceId, webhookId, now, limit) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          if (row === undefined) return []
          return pendingOf(row)
            .filter(({ next_attempt_at }) => next_attempt_at !== null && next_attempt_at <= now)
            .sort(byDue).slice(0, limit).map(copied)
        }),

      backlog: (workspaceId, webhookId, limit) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          if (row === undefined) return { pending: 0, next: null }
          const [next] = pendingOf(row).filter(({ next_attempt_at }) => next_attempt_at !== null).sort(byDue)
          return { pending: Math.min(row.pending.size, limit), next: copied(next?.next_attempt_at ?? null) }
        }),

      record: (workspaceId, webhookId, seq, result) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          const delivery = row?.deliveries.get(seq)
          if (row === undefined || delivery === undefined) return
          put(row, { ...delivery, ...copied(result), attempts: delivery.attempts + 1 })
          if (result.status === "pending") return
          const next = pendingOf(row).find(({ subject }) => subject === delivery.subject)
          if (next?.next_attempt_at === null) put(row, { ...next, next_attempt_at: next.created_at })
        }),

      deliveries: (workspaceId, webhookId, { after, limit, status }) =>
        Effect.sync(() =>
          [...rowOf(workspaceId, webhookId)?.deliveries.values() ?? []]
            .filter((delivery) =>
              (status === null || delivery.status === status) && (after === null || delivery.seq < after)
            )
            .reverse().slice(0, limit).map(copied)
        ),

      findDelivery: (workspaceId, webhookId, eventId) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          return found(row?.deliveries.get(row.seqs.get(eventId) ?? 0))
        }),

      resend: (workspaceId, webhookId, eventId, now) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, webhookId)
          const delivery = row?.deliveries.get(row.seqs.get(eventId) ?? 0)
          if (row === undefined || delivery === undefined) return Option.none<DeliveryRecord>()
          put(row, { ...delivery, status: "pending", next_attempt_at: new Date(now) })
          wake(row, now)
          return found(row.deliveries.get(delivery.seq))
        }),

      prune: (before) =>
        Effect.sync(() => {
          const rows = [...workspaces.values()].flatMap(({ webhooks }) => [...webhooks.values()])
          const old = rows.flatMap((row) =>
            [...row.deliveries.values()].filter((delivery) => !isPending(delivery) && delivery.created_at < before)
              .map((delivery) => ({ row, delivery }))
          )
          for (const { delivery, row } of old) drop(row, delivery)
          return old.length
        })
    })
  })
)
