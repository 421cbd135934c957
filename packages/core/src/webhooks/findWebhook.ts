/** Finds or changes a webhook. Anything else than an id of this workspace is not found. */
import { Effect, Option } from "effect"
import { type StorageUnavailable, WebhookNotFound } from "../model/Error.ts"
import { parseId, WebhookId, type WorkspaceId } from "../model/Id.ts"
import type { WebhookChange, WebhookRecord, WebhookStore } from "../ports/WebhookStore.ts"

export const findWebhook = Effect.fnUntraced(function*(
  store: WebhookStore["Service"],
  workspaceId: WorkspaceId,
  webhookId: string
): Effect.fn.Return<WebhookRecord, WebhookNotFound | StorageUnavailable> {
  const id = parseId(WebhookId)(webhookId)
  const found = Option.isNone(id) ? Option.none<WebhookRecord>() : yield* store.find(workspaceId, id.value)
  return yield* Effect.fromOption(found, () => new WebhookNotFound())
})

export const changeWebhook = Effect.fnUntraced(
  function*(store: WebhookStore["Service"], workspaceId: WorkspaceId, webhookId: WebhookId, change: WebhookChange) {
    const changed = yield* store.update(workspaceId, webhookId, change, null)
    return yield* Effect.fromOption(changed, () => new WebhookNotFound())
  }
)
