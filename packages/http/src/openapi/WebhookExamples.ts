/** One request and one answer of every operation on webhooks. */
import { KEY_ID, MOMENT, WORKSPACE_ID } from "./ExampleValues.ts"
import type { Example, JsonObject } from "./Json.ts"

const WEBHOOK_ID = "8d2c4b6a-1f3e-4d5c-9b7a-0e1f2a3b4c5d"
const EVENT_ID = "3e5d7c9b-2a4f-4c6e-8d1b-9f0a1b2c3d4e"
const URL = "https://hooks.example.com/tributary"
/** Of no webhook. */
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

const webhook: JsonObject = {
  webhook_id: WEBHOOK_ID,
  url: URL,
  event_types: ["document.created", "sync.failed"],
  status: "active",
  error: null,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: MOMENT,
  created_by: { type: "api_key", id: KEY_ID }
}

const body = {
  type: "webhook.test",
  timestamp: MOMENT,
  data: { workspace_id: WORKSPACE_ID, webhook_id: WEBHOOK_ID }
}

const pending: JsonObject = {
  event_id: EVENT_ID,
  event_type: "webhook.test",
  status: "pending",
  attempts: 0,
  created_at: MOMENT,
  next_attempt_at: MOMENT,
  body: JSON.stringify(body),
  last_attempt: null
}

const delivered: JsonObject = {
  ...pending,
  status: "succeeded",
  attempts: 1,
  next_attempt_at: null,
  last_attempt: { at: MOMENT, url: URL, status: 204, duration_ms: 48, response: "", error: null }
}

export const WEBHOOK_EXAMPLES: Readonly<Record<string, Example>> = {
  createWebhook: {
    request: { url: URL, event_types: ["document.created", "sync.failed"] },
    answers: { 201: { ...webhook, secret: SECRET } }
  },
  listWebhooks: { answers: { 200: [webhook] } },
  getWebhook: { answers: { 200: webhook } },
  updateWebhook: { request: { status: "disabled" }, answers: { 200: { ...webhook, status: "disabled" } } },
  deleteWebhook: { answers: { 200: { status: "deleted", webhook_id: WEBHOOK_ID } } },
  rotateWebhookSecret: {
    request: { secret: SECRET },
    answers: { 200: { ...webhook, previous_secret_expires_at: "2026-02-04T09:30:00.000Z", secret: SECRET } }
  },
  testWebhook: { answers: { 200: pending } },
  listDeliveries: { answers: { 200: { deliveries: [delivered], next_cursor: null } } },
  getDelivery: { answers: { 200: delivered } },
  resendDelivery: { answers: { 200: { ...delivered, status: "pending", next_attempt_at: MOMENT } } }
}
