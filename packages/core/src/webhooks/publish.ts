/** Publishes events without a log: each becomes a delivery to every webhook that subscribes to it. */
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { WebhookEventType } from "../model/Webhook.ts"
import { type WebhookRecord } from "../ports/WebhookStore.ts"
import { type EventContent, messageOf } from "./messages.ts"
import { webhookStore } from "./webhookStore.ts"

/** How many finished deliveries are kept per webhook. */
export const MAX_FINISHED = 10_000

/**
 * With this many pending deliveries a webhook gets no more events of this kind: its receiver has been down for long.
 */
const MAX_PENDING = 10_000

export const subscribesTo = (type: WebhookEventType) => ({ event_types, status }: WebhookRecord): boolean =>
  status === "active" && event_types.includes(type)

/**
 * Idempotent by the event's id, so that it can be repeated after a crash. The event is only made if somebody subscribes
 * to its type.
 */
export const publish = Effect.fnUntraced(function*<E, R>(
  workspaceId: WorkspaceId,
  type: WebhookEventType,
  making: Effect.Effect<Omit<EventContent, "type"> | null, E, R>
) {
  const store = yield* webhookStore
  const webhooks = (yield* store.list(workspaceId)).filter(subscribesTo(type))
  const made = webhooks.length === 0 ? null : yield* making
  if (made === null) return
  const event = { ...made, type }
  yield* Effect.forEach(
    webhooks,
    Effect.fnUntraced(function*({ webhook_id }) {
      const { pending } = yield* store.backlog(workspaceId, webhook_id, MAX_PENDING)
      if (pending < MAX_PENDING) {
        yield* store.append(workspaceId, webhook_id, [messageOf(workspaceId, event)], null, MAX_FINISHED)
      } else {
        yield* Effect.logWarning("an event is not delivered, because too many wait").pipe(
          Effect.annotateLogs({ webhook_id, event_type: type })
        )
      }
    }),
    { discard: true }
  )
})
