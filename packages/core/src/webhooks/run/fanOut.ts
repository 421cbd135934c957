/** Turns events of the log into deliveries of one webhook. The cursor moves in the act that stores them. */
import { Clock, Effect } from "effect"
import type { WebhookEventType } from "../../model/Webhook.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"
import { DocumentStore } from "../../ports/DocumentStore.ts"
import { type WebhookRecord } from "../../ports/WebhookStore.ts"
import { documentMessage } from "../messages.ts"
import { MAX_FINISHED } from "../publish.ts"
import { nearLimits } from "./nearLimits.ts"
import { webhookStore } from "../webhookStore.ts"

/** How many events are read at a time. */
const BATCH = 100

/** With this many pending deliveries, events wait in their log. */
const MAX_PENDING = 1_000

/** Whether there may be more. */
export const fanOut = Effect.fnUntraced(function*(workspace: WorkspaceRecord, webhook: WebhookRecord) {
  const store = yield* webhookStore
  const { workspace_id } = workspace
  const { event_seq: from, webhook_id } = webhook
  const { pending } = yield* store.backlog(workspace_id, webhook_id, MAX_PENDING)
  if (pending >= MAX_PENDING) return false
  const events = yield* (yield* DocumentStore).events(workspace_id, {
    since: from,
    source: null,
    kind: null,
    limit: BATCH
  })
  const wanted = new Set<WebhookEventType>(webhook.event_types)
  const changes = events.filter(({ type }) => wanted.has(type)).map((event) => documentMessage(workspace_id, event))
  const limits = yield* nearLimits(workspace, webhook, yield* Clock.currentTimeMillis)
  const messages = [...changes, ...limits.messages]
  const to = events.at(-1)?.event_seq ?? from
  if (to === from && messages.length === 0 && limits.noted === webhook.noted) return false
  yield* store.append(workspace_id, webhook_id, messages, { from, to, noted: limits.noted }, MAX_FINISHED)
  return events.length === BATCH
})
