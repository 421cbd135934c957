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
  url: Schema.String,
  event_types: Schema.Array(WebhookEventType),
  /** `disabled`: nothing is sent until it is made active. */
  status: Schema.Literals(["active", "disabled"]),
  /** A message for people: the error of the last attempt, or why the webhook was disabled. */
  error: Schema.NullOr(Schema.String),
  /** The first failure since the last success. */
  failing_since: Schema.NullOr(Timestamp),
  /** Until when the previous secret signs as well. */
  previous_secret_expires_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  created_by: Principal
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

/** A webhook with its secret, which is shown at creation and after a rotation. */
export const IssuedWebhook = Schema.Struct({ ...Webhook.fields, secret: Schema.String }).annotate({
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
  url: WebUrl,
  event_types: EventTypes,
  secret: optional(WebhookSecret)
})
export type NewWebhook = typeof NewWebhook.Type

/** Omitted or null leaves a field as it is. */
export const WebhookPatch = Schema.Struct({
  url: optional(WebUrl),
  event_types: optional(EventTypes),
  status: optional(Webhook.fields.status)
})
export type WebhookPatch = typeof WebhookPatch.Type

/** Without a secret, one is generated. */
export const SecretRotation = Schema.NullOr(Schema.Struct({ secret: optional(WebhookSecret) }))
export type SecretRotation = typeof SecretRotation.Type

export const DeliveryStatus = Schema.Literals(["pending", "succeeded", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const DeliveryAttempt = Schema.Struct({
  at: Timestamp,
  url: Schema.String,
  /** Null without a response. */
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  /** The start of the response body. */
  response: Schema.NullOr(Schema.String),
  /** A message for people; null after a success. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

export const WebhookDelivery = Schema.Struct({
  /** The `webhook-id` of every attempt. */
  event_id: EventId,
  event_type: Schema.String,
  status: DeliveryStatus,
  attempts: Schema.Int,
  created_at: Timestamp,
  /** Null if there will be none, and while an earlier event of the same subject is pending. */
  next_attempt_at: Schema.NullOr(Timestamp),
  /** The exact body. */
  body: Schema.String,
  last_attempt: Schema.NullOr(DeliveryAttempt)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

/** A workspace has at most this many. */
export const MAX_WEBHOOKS = 20
