/** Webhooks: addresses that receive a workspace's events, and their deliveries. */
import { Schema } from "effect"
import { EventId, WebhookId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { Timestamp } from "./Timestamp.ts"
import { REDACTED, violatedBy } from "./Violation.ts"
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
  "ask.cancelled",
  "usage.approaching",
  "usage.exceeded",
  "api_key.expiring"
])
export type WebhookEventType = typeof WebhookEventType.Type

/** The event type of a test. */
export const TEST_EVENT = "webhook.test"
export type SentEventType = WebhookEventType | typeof TEST_EVENT

export const Webhook = Schema.Struct({
  webhook_id: WebhookId,
  /** The URL that events are sent to. */
  url: Schema.String,
  /** The types of events that are sent. */
  event_types: Schema.Array(WebhookEventType),
  /** `disabled`: nothing is sent until it is activated again. */
  status: Schema.Literals(["active", "disabled"]),
  /** The error of the last attempt, or why the webhook was disabled, in a sentence. Null: none. */
  error: Schema.NullOr(Schema.String),
  /** When the first attempt since the last success failed. Null: the last attempt succeeded. */
  failing_since: Schema.NullOr(Timestamp),
  /** Until when the previous secret signs as well. Null: none. */
  previous_secret_expires_at: Schema.NullOr(Timestamp),
  /** When it was created. */
  created_at: Timestamp,
  /** Who created it. */
  created_by: Principal
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

/** A webhook with its secret, which is shown at creation and after a rotation. */
export const IssuedWebhook = Schema.Struct({
  ...Webhook.fields,
  /** The signing secret, shown only here. */
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
).annotate({ [REDACTED]: true })

const EventTypes = Schema.Array(WebhookEventType).check(Schema.isMinLength(1), Schema.isMaxLength(20))

export const NewWebhook = Schema.Struct({
  /** The URL that events are sent to: https, or http in a network that the operator allows. */
  url: WebUrl,
  /** The types of events that are sent. */
  event_types: EventTypes,
  /** `whsec_` and 24 to 64 bytes in base64. Absent: one is generated. */
  secret: optional(WebhookSecret)
})
export type NewWebhook = typeof NewWebhook.Type

/** Omitted or null leaves a field as it is. */
export const WebhookPatch = Schema.Struct({
  /** The new URL. Absent or null: unchanged. */
  url: optional(WebUrl),
  /** Replaces the types of events. Absent or null: unchanged. */
  event_types: optional(EventTypes),
  /** `disabled` stops sending, `active` resumes it where it stopped. */
  status: optional(Webhook.fields.status)
})
export type WebhookPatch = typeof WebhookPatch.Type

/** Without a secret, one is generated. */
export const SecretRotation = Schema.NullOr(Schema.Struct({
  /** `whsec_` and 24 to 64 bytes in base64. Absent: one is generated. */
  secret: optional(WebhookSecret)
}))
export type SecretRotation = typeof SecretRotation.Type

export const DeliveryStatus = Schema.Literals(["pending", "succeeded", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

export const DeliveryAttempt = Schema.Struct({
  /** When the attempt was made. */
  at: Timestamp,
  /** The URL that the event was sent to. */
  url: Schema.String,
  /** The status of the response. Null: there was no response. */
  status: Schema.NullOr(Schema.Int),
  /** The duration in milliseconds. */
  duration_ms: Schema.Int,
  /** The start of the response body. Null: there was no response. */
  response: Schema.NullOr(Schema.String),
  /** The error, in a sentence. Null: the event was accepted. */
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DeliveryAttempt" })
export type DeliveryAttempt = typeof DeliveryAttempt.Type

export const WebhookDelivery = Schema.Struct({
  /** The event's id, and the `webhook-id` of every attempt. */
  event_id: EventId,
  /** What happened. */
  event_type: Schema.String,
  /** `pending`: not accepted yet. `failed`: it is not retried. */
  status: DeliveryStatus,
  /** The number of attempts. */
  attempts: Schema.Int,
  /** When the event happened. */
  created_at: Timestamp,
  /**
   * When the next attempt is due. Null: none, or an earlier event about the same subject has to be delivered
   * first.
   */
  next_attempt_at: Schema.NullOr(Timestamp),
  /** The exact body of the request. */
  body: Schema.String,
  /** The last attempt. Null: there was none. */
  last_attempt: Schema.NullOr(DeliveryAttempt)
}).annotate({ identifier: "WebhookDelivery" })
export type WebhookDelivery = typeof WebhookDelivery.Type

/** A workspace has at most this many. */
export const MAX_WEBHOOKS = 20
