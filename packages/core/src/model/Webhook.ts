/** Webhooks: addresses that receive a workspace's events, and their deliveries. */
import { Schema } from "effect"
import { EventId, WebhookId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { Timestamp } from "./Timestamp.ts"
import { UNTOLD, violatedBy } from "./Violation.ts"
import { WebUrl } from "./WebUrl.ts"

export const WebhookEventType = Schema.Literals([
  "document.created",
  "document.updated",
  "document.deleted",
  "sync.failed",
  "sync.held",
  "context.rebuilt",
  "ask.succeeded",
  "ask.failed",
  "usage.approaching",
  "usage.exceeded",
  "api_key.expiring"
])
export type WebhookEventType = typeof WebhookEventType.Type

/** The event type of a test. */
export const TEST_EVENT = "webhook.test"

export const Webhook = Schema.Struct({
  webhook_id: WebhookId,
  /** Where events are sent. */
  url: Schema.String,
  /** The events that are sent. */
  event_types: Schema.Array(WebhookEventType),
  /** `disabled`: nothing is sent until somebody makes it active. */
  status: Schema.Literals(["active", "disabled"]),
  /** What the last attempt met, or why the webhook was switched off, in a sentence. Null: nothing is wrong. */
  error: Schema.NullOr(Schema.String),
  /** The first failure since the last success. Null: the last attempt succeeded. */
  failing_since: Schema.NullOr(Timestamp),
  /** Until when the secret before the present one signs as well. Null: there was none. */
  previous_secret_expires_at: Schema.NullOr(Timestamp),
  /** When it was made. */
  created_at: Timestamp,
  /** Who made it. */
  created_by: Principal
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

/** A webhook with its secret, which is shown at creation and after a rotation. */
export const IssuedWebhook = Schema.Struct({
  ...Webhook.fields,
  /** What signatures are made with. Shown here once. */
  secret: Schema.String
}).annotate({
  identifier: "IssuedWebhook"
})
export type IssuedWebhook = typeof IssuedWebhook.Type

const isSecret = (secret: string): boolean => {
  const base64 = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/.exec(secret)?.[1]
  if (base64 === undefined || base64.length % 4 !== 0) return false
  const bytes = base64.length / 4 * 3 - (base64.length - base64.replaceAll("=", "").length)
  return bytes >= 24 && bytes <= 64
}

/** `whsec_` and 24 to 64 bytes in base64. */
const WebhookSecret = Schema.String.check(
  violatedBy(
    (secret) =>
      isSecret(secret)
        ? undefined
        : { type: "value_error", message: "Value error, should be 'whsec_' and 24 to 64 bytes in base64" },
    { pattern: "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$" }
  )
).annotate({ [UNTOLD]: true })

const EventTypes = Schema.Array(WebhookEventType).check(Schema.isMinLength(1), Schema.isMaxLength(20))

export const NewWebhook = Schema.Struct({
  /** Where events are sent: an https address, or an http one in a network that the operator allows. */
  url: WebUrl,
  /** The events that are sent. */
  event_types: EventTypes,
  /** `whsec_` and 24 to 64 bytes in base64. Absent: one is made. */
  secret: optional(WebhookSecret)
})
export type NewWebhook = typeof NewWebhook.Type

/** Omitted or null leaves a field as it is. */
export const WebhookPatch = Schema.Struct({
  /** The new address. Absent or null: as it is. */
  url: optional(WebUrl),
  /** Replaces the old ones. Absent or null: as they are. */
  event_types: optional(EventTypes),
  /** `disabled` stops the sending, `active` takes it up again where it stopped. */
  status: optional(Webhook.fields.status)
})
export type WebhookPatch = typeof WebhookPatch.Type

/** Without a secret, one is generated. */
export const SecretRotation = Schema.NullOr(Schema.Struct({
  /** `whsec_` and 24 to 64 bytes in base64. Absent: one is made. */
  secret: optional(WebhookSecret)
}))
export type SecretRotation = typeof SecretRotation.Type

export const DeliveryStatus = Schema.Literals(["pending", "succeeded", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const DeliveryAttempt = Schema.Struct({
  /** When it was made. */
  at: Timestamp,
  /** Where the event was sent. */
  url: Schema.String,
  /** The status of the answer. Null: there was none. */
  status: Schema.NullOr(Schema.Int),
  /** How long it took, in milliseconds. */
  duration_ms: Schema.Int,
  /** How the body of the answer begins. Null: there was no answer. */
  response: Schema.NullOr(Schema.String),
  /** What went wrong, in a sentence. Null: the event was taken. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

export const WebhookDelivery = Schema.Struct({
  /** The event's id, and the `webhook-id` of every attempt. */
  event_id: EventId,
  /** What happened. */
  event_type: Schema.String,
  /** `pending`: it has yet to be taken. `failed`: it is not tried again. */
  status: DeliveryStatus,
  /** How many attempts were made. */
  attempts: Schema.Int,
  /** When the event happened. */
  created_at: Timestamp,
  /** When it is tried next. Null: never, or once an earlier event about the same thing is delivered. */
  next_attempt_at: Schema.NullOr(Timestamp),
  /** What is sent, to the byte. */
  body: Schema.String,
  /** What came of the last attempt. Null: there was none. */
  last_attempt: Schema.NullOr(DeliveryAttempt)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

/** A workspace has at most this many. */
export const MAX_WEBHOOKS = 20
