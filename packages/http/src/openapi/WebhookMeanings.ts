/** Descriptions of the fields of webhooks and deliveries. */
import { PRINCIPAL, type Words } from "./Words.ts"

const SECRET = "`whsec_` and 24 to 64 bytes in base64. Absent: one is made."

const WEBHOOK: Words = {
  ...PRINCIPAL,
  webhook_id: "The webhook's id.",
  url: "Where events are sent.",
  event_types: "The events that are sent.",
  status: "`disabled`: nothing is sent until somebody makes it active.",
  error: "What the last attempt met, or why the webhook was switched off, in a sentence. Null: nothing is wrong.",
  failing_since: "The first failure since the last success. Null: the last attempt succeeded.",
  previous_secret_expires_at: "Until when the secret before the present one signs as well. Null: there was none."
}

export const WEBHOOK_FIELDS: Readonly<Record<string, Words>> = {
  Webhook: WEBHOOK,
  IssuedWebhook: { ...WEBHOOK, secret: "What signatures are made with. Shown here once." },
  WebhookDeleted: { webhook_id: "The webhook's id." },
  CreateWebhookRequest: {
    url: "Where events are sent: an https address, or an http one in a network that the operator allows.",
    event_types: "The events that are sent.",
    secret: SECRET
  },
  UpdateWebhookRequest: {
    url: "The new address. Absent or null: as it is.",
    event_types: "Replaces the old ones. Absent or null: as they are.",
    status: "`disabled` stops the sending, `active` takes it up again where it stopped."
  },
  RotateWebhookSecretRequest: { secret: SECRET },
  WebhookDelivery: {
    event_id: "The event's id, and the `webhook-id` of every attempt.",
    event_type: "What happened.",
    status: "`pending`: it has yet to be taken. `failed`: it is not tried again.",
    attempts: "How many attempts were made.",
    created_at: "When the event happened.",
    next_attempt_at: "When it is tried next. Null: never, or once an earlier event about the same thing is delivered.",
    body: "What is sent, to the byte.",
    last_attempt: "What came of the last attempt. Null: there was none."
  },
  DeliveryAttempt: {
    at: "When it was made.",
    url: "Where the event was sent.",
    status: "The status of the answer. Null: there was none.",
    duration_ms: "How long it took, in milliseconds.",
    response: "How the body of the answer begins. Null: there was no answer.",
    error: "What went wrong, in a sentence. Null: the event was taken."
  },
  ListDeliveriesResponse: { deliveries: "Newest first." }
}
