/** Webhooks with deliveries, as the tests of the stores need them. */
import { EventId, WebhookId, type WorkspaceId } from "@tributary/core/model/Id"
import type { DeliveryAttempt, DeliveryStatus } from "@tributary/core/model/Webhook"
import { type Message, type WebhookRecord, WebhookStore } from "@tributary/core/ports/WebhookStore"
import { Effect } from "effect"
import { moment, newUuid } from "./fixtures.ts"

export const newWebhook = (fields?: Partial<WebhookRecord>): WebhookRecord => ({
  webhook_id: WebhookId.make(newUuid()),
  url: "https://example.com/hook?a=1",
  event_types: ["document.created", "api_key.expiring"],
  status: "active",
  error: null,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: moment(),
  created_by: { type: "user", id: "\"Ada\" 😀" },
  secrets: "1.abc.def",
  failures: 0,
  paused_until: null,
  event_seq: 0,
  noted: "{}",
  ...fields
})

export const newMessage = (subject: string, fields?: Partial<Message>): Message => ({
  event_id: EventId.make(newUuid()),
  event_type: "document.created",
  subject,
  body: "{\"type\":\"document.created\"}",
  created_at: moment(),
  ...fields
})

export const ATTEMPT: DeliveryAttempt = {
  at: moment(5),
  url: "https://example.com/hook",
  status: 500,
  duration_ms: 12,
  response: "no \"thanks\" 😀",
  error: "The receiver answered with status 500."
}

export const FOREVER = moment(1_000_000_000)
export const KEPT = 10_000

/** A webhook in its own workspace, and its store with defaults for most arguments. */
export const hooked = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
  const store = yield* WebhookStore
  const { webhook_id: id } = yield* Effect.tap(
    Effect.sync(newWebhook),
    (webhook) => store.insert(workspaceId, webhook, 10)
  )
  return {
    id,
    workspaceId,
    store,
    append: (...messages: ReadonlyArray<Message>) => store.append(workspaceId, id, messages, null, KEPT),
    /** The events of what is ready to be sent. */
    ready: (now = FOREVER, limit = 100) =>
      Effect.map(store.ready(workspaceId, id, now, limit), (found) => found.map(({ event_id }) => event_id)),
    record: (seq: number, status: DeliveryStatus, next_attempt_at: Date | null = null) =>
      store.record(workspaceId, id, seq, { status, next_attempt_at, last_attempt: ATTEMPT }),
    all: store.deliveries(workspaceId, id, { status: null, after: null, limit: 100 }),
    isDue: (now: Date) => Effect.map(store.due(now, 10_000), (due) => due.some(({ webhook_id }) => webhook_id === id))
  }
})
