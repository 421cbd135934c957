/** One attempt to deliver one event, recorded whether it succeeds or not. */
import { Clock, Effect, Random } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import { toStorable } from "../../model/Text.ts"
import { DAY } from "../../model/Day.ts"
import type { FencingToken } from "../../ports/JobStore.ts"
import { type DeliveryRecord, type WebhookRecord } from "../../ports/WebhookStore.ts"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { backoff } from "../../sync/backoff.ts"
import { signedHeaders } from "../signature.ts"
import { openSecrets, rewrapWebhook, signingSecrets } from "../webhookSecrets.ts"
import { WebhookSender } from "../WebhookSender.ts"
import { webhookStore } from "../webhookStore.ts"

/** How long after an event its delivery is retried. */
export const RETRY_PERIOD = 3 * DAY

/**
 * How often an event is sent that is older than that already, because its workspace was suspended or its webhook
 * switched off: for about an hour.
 */
const MIN_ATTEMPTS = 8

export interface Outcome {
  readonly status: DeliveryRecord["status"]
  /** The receiver reports that it is permanently gone. */
  readonly isGone: boolean
  /** A message for people; null after a success. */
  readonly error: string | null
  readonly retryAfterSeconds: number | undefined
}

/** The current secrets. They are encrypted with this server's first key from now on. */
const secretsFor = Effect.fnUntraced(function*(workspaceId: WorkspaceId, webhook: WebhookRecord, now: number) {
  const { isStale, secrets } = yield* openSecrets(yield* SecretBox, workspaceId, webhook)
  if (isStale) yield* rewrapWebhook(workspaceId, webhook)
  return signingSecrets(secrets, webhook, now)
})

/** The error as a sentence; null after a success. */
const problemOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  if (status === 410) return "The receiver answered with status 410: it wants no more events."
  if (status >= 300 && status < 400) {
    return `The receiver answered with a redirect (status ${status}), which is not followed.`
  }
  return `The receiver answered with status ${status}.`
}

export const attemptDelivery = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, webhook: WebhookRecord, delivery: DeliveryRecord, fencingToken: FencingToken) {
    const store = yield* webhookStore
    const sender = yield* WebhookSender
    const { url, webhook_id } = webhook
    const at = yield* Clock.currentTimeMillis
    const sent = Effect.gen(function*() {
      const secrets = yield* secretsFor(workspaceId, webhook, at)
      const headers = signedHeaders(secrets, delivery.event_id, at, delivery.body)
      return yield* sender.send({ url, headers, body: delivery.body })
    })
    const nothing = ({ message }: { readonly message: string }) => Effect.succeed({ answer: null, error: message })
    const { answer, error } = yield* sent.pipe(
      Effect.map((answer) => ({ answer, error: problemOf(answer.status) })),
      Effect.catchTags({ Sealed: nothing, Undeliverable: nothing })
    )
    const now = yield* Clock.currentTimeMillis
    const isGone = answer?.status === 410
    // After a 410 the event waits: the webhook is switched off, and resumes with it once it is active.
    const attempts = delivery.attempts + 1
    const isOver = now - delivery.created_at.getTime() >= RETRY_PERIOD && attempts >= MIN_ATTEMPTS
    const status = error === null ? "succeeded" : isOver ? "failed" : "pending"
    const pause = backoff(attempts, answer?.retryAfterSeconds, yield* Random.next)
    const recorded = yield* store.record(workspaceId, webhook_id, delivery.seq, {
      status,
      next_attempt_at: status === "pending" ? new Date(now + pause) : null,
      last_attempt: {
        at: new Date(at),
        url,
        status: answer?.status ?? null,
        duration_ms: now - at,
        response: answer === null ? null : toStorable(answer.body),
        error: error === null ? null : toStorable(error)
      }
    }, fencingToken)
    // Another attempt has taken over, and may have delivered it.
    if (!recorded) return yield* Effect.interrupt
    return { status, isGone, error, retryAfterSeconds: answer?.retryAfterSeconds } satisfies Outcome
  }
)
