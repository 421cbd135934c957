/** Finds or changes a webhook. Anything else than an id of this workspace is not found. */
import { Effect } from "effect"
import { lookUp } from "../internal/lookUp.ts"
import { WebhookNotFound } from "../model/Error.ts"
import { WebhookId, type WorkspaceId } from "../model/Id.ts"
import type { WebhookChange, WebhookStore } from "../ports/WebhookStore.ts"

export const findWebhook = Effect.fnUntraced(
  function*(store: WebhookStore["Service"], workspaceId: WorkspaceId, webhookId: string) {
    const found = yield* lookUp(WebhookId, webhookId, (id) => store.find(workspaceId, id))
    return yield* Effect.fromOption(found, () => new WebhookNotFound())
  }
)

export const changeWebhook = Effect.fnUntraced(
  function*(store: WebhookStore["Service"], workspaceId: WorkspaceId, webhookId: WebhookId, change: WebhookChange) {
    const changed = yield* store.update(workspaceId, webhookId, change, null)
    return yield* Effect.fromOption(changed, () => new WebhookNotFound())
  }
)
