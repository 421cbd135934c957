/** Decides from the results of attempts whether a receiver is paused or disabled. */
import { Clock, Effect, Option, Random } from "effect"
import type { FencingToken } from "../../ports/JobStore.ts"
import type { WebhookRecord } from "../../ports/WebhookStore.ts"
import { OPERATOR } from "../../model/Principal.ts"
import { DAY } from "../../model/Day.ts"
import type { WorkspaceRecord } from "../../model/Workspace.ts"
import { auditing } from "../../people/auditing.ts"
import { backoff } from "../../sync/backoff.ts"
import { type Outcome, RETRY_PERIOD } from "./attemptDelivery.ts"
import { webhookStore } from "../webhookStore.ts"

/** The longest pause for a failing receiver, unless it requests more. In milliseconds. */
const MAX_PAUSE = 5 * 60_000

export const HEALTHY = { error: null, failing_since: null, failures: 0, paused_until: null } as const

const switchOff = Effect.fnUntraced(function*(
  workspace: WorkspaceRecord,
  { url, webhook_id }: WebhookRecord,
  reason: string,
  fencingToken: FencingToken
) {
  const change = { status: "disabled", error: reason } as const
  const switched = (yield* webhookStore).update(workspace.workspace_id, webhook_id, change, "active", fencingToken)
  yield* (yield* auditing)(switched, {
    action: "webhook.switched_off",
    by: OPERATOR,
    in: workspace,
    subject: webhook_id,
    details: { url, reason }
  })
})

export const checkReceiver = Effect.fnUntraced(
  function*(
    workspace: WorkspaceRecord,
    webhook: WebhookRecord,
    outcomes: ReadonlyArray<Outcome>,
    fencingToken: FencingToken
  ) {
    const store = yield* webhookStore
    const { workspace_id } = workspace
    const { failing_since, failures, url, webhook_id } = webhook
    const present = yield* store.find(workspace_id, webhook_id)
    // While it answered, the webhook got another address, about which this says nothing.
    if (!Option.exists(present, (now) => now.url === url)) return
    const gone = outcomes.find(({ isGone }) => isGone)
    if (gone !== undefined) return yield* switchOff(workspace, webhook, `Switched off: ${gone.error}`, fencingToken)
    const failed = outcomes.filter(({ error }) => error !== null)
    if (failed.length < outcomes.length) {
      if (failing_since !== null) yield* store.update(workspace_id, webhook_id, HEALTHY, null, fencingToken)
      return
    }
    const now = yield* Clock.currentTimeMillis
    const { error } = failed.at(-1)!
    if (failing_since !== null && now - failing_since.getTime() >= RETRY_PERIOD) {
      const reason = `Switched off: it has accepted no event for 3 days. ${error}`
      return yield* switchOff(workspace, webhook, reason, fencingToken)
    }
    const random = yield* Random.next
    const asked = Math.min(DAY, 1_000 * Math.max(...failed.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 0)))
    const pause = Math.max(asked, Math.min(MAX_PAUSE, backoff(failures + 1, undefined, random)))
    yield* store.update(
      workspace_id,
      webhook_id,
      {
        error,
        failing_since: failing_since ?? new Date(now),
        failures: failures + 1,
        paused_until: new Date(now + pause)
      },
      "active",
      fencingToken
    )
  }
)
