/** The scopes for events of webhooks: a webhook shows what operations with these scopes show. */
import type { FineScope } from "../model/Scope.ts"
import type { WebhookEventType } from "../model/Webhook.ts"

/** Null: what every key may know. */
const SCOPES: Readonly<Record<WebhookEventType, FineScope | null>> = {
  "document.created": "runtime:read",
  "document.updated": "runtime:read",
  "document.deleted": "runtime:read",
  "sync.failed": "connections:read",
  "sync.held": "connections:read",
  "context.rebuilt": "knowledge:read",
  "ask.succeeded": "knowledge:read",
  "ask.failed": "knowledge:read",
  "ask.cancelled": "knowledge:read",
  "usage.approaching": null,
  "usage.exceeded": null,
  "api_key.expiring": null
}

/** In a fixed order, so that errors do not depend on that of the types. Tests of webhooks need none. */
export const scopesOfEvents = (types: ReadonlyArray<string>): ReadonlyArray<FineScope> => {
  const needed = new Set(types.map((type) => SCOPES[type as WebhookEventType]))
  return (["runtime:read", "connections:read", "knowledge:read"] as const).filter((scope) => needed.has(scope))
}
