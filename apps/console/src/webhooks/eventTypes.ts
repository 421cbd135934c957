/** Labels of the event types that a webhook can subscribe to. */
import type { WebhookEventType } from "../api/models.ts"

export const EVENT_TYPES: ReadonlyArray<readonly [WebhookEventType, string]> = [
  ["document.created", "A document is new."],
  ["document.updated", "A document has changed."],
  ["document.deleted", "A document is gone."],
  ["sync.failed", "A sync of a connection failed."],
  ["sync.held", "Deletions wait to be confirmed."],
  ["context.rebuilt", "The knowledge context was built again."],
  ["ask.succeeded", "A question asked as a job is answered."],
  ["ask.failed", "A question asked as a job could not be answered."],
  ["ask.cancelled", "A question asked as a job was cancelled."],
  ["usage.approaching", "A limit of the plan is near."],
  ["usage.exceeded", "A limit of the plan is reached."],
  ["api_key.expiring", "A key is about to expire."]
]
