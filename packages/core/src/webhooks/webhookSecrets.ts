/**
 * The secrets of a webhook: the current one, and for a while the previous one. Encrypted, and bound to their webhook.
 */
import { Effect, Redacted, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import type { WebhookId, WorkspaceId } from "../model/Id.ts"
import type { WebhookRecord } from "../ports/WebhookStore.ts"
import { placeOf, rewrapSecret } from "../secrets/rewrapSecret.ts"
import type { Box } from "../secrets/SecretBox.ts"
import { webhookStore } from "./webhookStore.ts"

const SECRET_BYTES = 32

export const newWebhookSecret = (): string =>
  `whsec_${Base64.encode(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`

interface Secrets {
  readonly current: string
  readonly previous: string | null
}

const Form = Schema.fromJsonString(Schema.Struct({ current: Schema.String, previous: Schema.NullOr(Schema.String) }))

export const sealSecrets = (box: Box, workspaceId: WorkspaceId, webhookId: WebhookId, secrets: Secrets) =>
  box.seal(Redacted.make(Schema.encodeSync(Form)(secrets)), placeOf(workspaceId, webhookId))

export const openSecrets = Effect.fnUntraced(
  function*(box: Box, workspaceId: WorkspaceId, { secrets, webhook_id }: WebhookRecord) {
    const { isStale, text } = yield* box.open(secrets, placeOf(workspaceId, webhook_id))
    return { isStale, secrets: yield* Effect.orDie(Schema.decodeEffect(Form)(Redacted.value(text))) }
  }
)

/** Encrypts with the first key, like secrets of connections. Returns whether it was necessary. */
export const rewrapWebhook = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, { secrets, webhook_id }: WebhookRecord) {
    const store = yield* webhookStore
    return yield* rewrapSecret({
      sealed: secrets,
      place: placeOf(workspaceId, webhook_id),
      replace: (before, after) => store.reseal(workspaceId, webhook_id, before, after)
    })
  }
)

export const signingSecrets = (
  { current, previous }: Secrets,
  { previous_secret_expires_at }: WebhookRecord,
  now: number
): ReadonlyArray<string> => {
  const isValid = previous_secret_expires_at !== null && previous_secret_expires_at.getTime() > now
  return previous !== null && isValid ? [current, previous] : [current]
}
