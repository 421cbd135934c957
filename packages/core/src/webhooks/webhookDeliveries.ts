/** The deliveries of a webhook: listed, and sent on request. */
import { Clock, Effect, Schema, Struct } from "effect"
import { lookUp } from "../internal/lookUp.ts"
import { paged } from "../internal/paged.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { cursorOf } from "../model/Cursor.ts"
import { BadRequest, WebhookNotFound } from "../model/Error.ts"
import { EventId, type WebhookId, type WorkspaceId } from "../model/Id.ts"
import type { PageRequest } from "../model/Page.ts"
import { type DeliveryStatus, TEST_EVENT, type WebhookDelivery } from "../model/Webhook.ts"
import type { DeliveryRecord, WebhookStore } from "../ports/WebhookStore.ts"
import { changeWebhook, findWebhook } from "./findWebhook.ts"
import { messageOf } from "./messages.ts"
import { MAX_FINISHED } from "./publish.ts"
import { webhookStore } from "./webhookStore.ts"

const deliveryCursor = cursorOf("webhook deliveries", Schema.Int)

const shownDelivery = (record: DeliveryRecord): WebhookDelivery => Struct.omit(record, ["seq", "subject"])

/** In characters. */
const deliveryLength = ({ body, last_attempt }: DeliveryRecord): number =>
  body.length + (last_attempt?.response?.length ?? 0)

const SWITCHED_OFF = new BadRequest({ message: "This webhook is switched off. Make it active first." })

const readyToSend = Effect.fnUntraced(
  function*(store: WebhookStore["Service"], workspaceId: WorkspaceId, webhookId: string) {
    const webhook = yield* findWebhook(store, workspaceId, webhookId)
    if (webhook.status !== "active") return yield* SWITCHED_OFF
    // A delivery on request does not wait for the pause after a failure.
    if (webhook.paused_until !== null) {
      yield* changeWebhook(store, workspaceId, webhook.webhook_id, { paused_until: null })
    }
    return webhook
  }
)

const storedDelivery = Effect.fnUntraced(function*(
  store: WebhookStore["Service"],
  workspaceId: WorkspaceId,
  webhookId: WebhookId,
  eventId: string
) {
  const found = yield* lookUp(EventId, eventId, (id) => store.findDelivery(workspaceId, webhookId, id))
  return yield* Effect.fromOption(found, () => new WebhookNotFound())
})

/** The operations of `Webhooks` on deliveries. */
export const webhookDeliveries = Effect.gen(function*() {
  const store = yield* webhookStore

  const test = Effect.fn("Webhooks.test")(function*(workspaceId: WorkspaceId, webhookId: string) {
    const { webhook_id } = yield* readyToSend(store, workspaceId, webhookId)
    const now = yield* Clock.currentTimeMillis
    const id = uuid7<EventId>(now)
    const message = messageOf(workspaceId, {
      id,
      type: TEST_EVENT,
      subject: id,
      at: new Date(now),
      data: { webhook_id }
    })
    yield* store.append(workspaceId, webhook_id, [message], null, MAX_FINISHED)
    return shownDelivery(yield* storedDelivery(store, workspaceId, webhook_id, id))
  })

  const deliveries = Effect.fn("Webhooks.deliveries")(
    function*(workspaceId: WorkspaceId, webhookId: string, status: DeliveryStatus | null, page: PageRequest) {
      const { webhook_id } = yield* findWebhook(store, workspaceId, webhookId)
      const { items, next } = yield* paged(
        deliveryCursor,
        page,
        ({ seq }: DeliveryRecord) => seq,
        (after, limit) => store.deliveries(workspaceId, webhook_id, { status, after, limit }),
        undefined,
        deliveryLength
      )
      return { items: items.map(shownDelivery), next }
    }
  )

  const resend = Effect.fn("Webhooks.resend")(
    function*(workspaceId: WorkspaceId, webhookId: string, eventId: string) {
      const { webhook_id } = yield* readyToSend(store, workspaceId, webhookId)
      const { event_id } = yield* storedDelivery(store, workspaceId, webhook_id, eventId)
      const now = new Date(yield* Clock.currentTimeMillis)
      const again = yield* store.resend(workspaceId, webhook_id, event_id, now)
      return shownDelivery(yield* Effect.fromOption(again, () => new WebhookNotFound()))
    }
  )

  const findDelivery = Effect.fn("Webhooks.findDelivery")(
    function*(workspaceId: WorkspaceId, webhookId: string, eventId: string) {
      const { webhook_id } = yield* findWebhook(store, workspaceId, webhookId)
      return shownDelivery(yield* storedDelivery(store, workspaceId, webhook_id, eventId))
    }
  )

  return { test, deliveries, findDelivery, resend }
})
