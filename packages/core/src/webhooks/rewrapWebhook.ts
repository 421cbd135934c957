/** Seals a webhook's secrets again under the first key, so that older keys can be taken away. */
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { WebhookRecord } from "../ports/WebhookStore.ts"
import { SecretBox } from "../sync/SecretBox.ts"
import { openSecrets, sealSecrets } from "./webhookSecrets.ts"
import { webhookStore } from "./webhookStore.ts"

/** Secrets that were changed meanwhile stay, since those are new. Says whether there was a need. */
export const rewrapWebhook = Effect.fnUntraced(function*(workspaceId: WorkspaceId, webhook: WebhookRecord) {
  const box = yield* SecretBox
  const { isStale, secrets } = yield* openSecrets(box, workspaceId, webhook)
  if (!isStale) return false
  const sealed = yield* sealSecrets(box, workspaceId, webhook.webhook_id, secrets)
  yield* (yield* webhookStore).reseal(workspaceId, webhook.webhook_id, webhook.secrets, sealed)
  return true
})
