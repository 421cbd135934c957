/** Background work that waits while time passes. */
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { WebhookStore } from "@tributary/core/ports/WebhookStore"
import { Clock, Context, Effect, type Latch, Layer } from "effect"

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

const later = (one: Date, other: Date): Date => one > other ? one : other

/**
 * Background work polls every few seconds. While the gate is closed it waits instead, so that a year passes at once.
 * Waiting work then sees the time at which the gate opens.
 */
export const gated = (gate: Latch.Latch) =>
  Layer.effectContext(Effect.gen(function*() {
    const jobs = yield* JobStore
    const connections = yield* ConnectionStore
    const webhooks = yield* WebhookStore
    return Context.make(JobStore, {
      ...jobs,
      claim: (queues, lease, _, passedOver) =>
        gate.whenOpen(Effect.flatMap(now, (now) => jobs.claim(queues, lease, now, passedOver))),
      reap: () => gate.whenOpen(Effect.flatMap(now, (now) => jobs.reap(now))),
      prune: (before) => gate.whenOpen(jobs.prune(before)),
      pruneFollowed: (exceptOf, before) => gate.whenOpen(jobs.pruneFollowed(exceptOf, before))
    }).pipe(
      Context.add(ConnectionStore, {
        ...connections,
        due: (until, limit) => gate.whenOpen(Effect.flatMap(now, (now) => connections.due(later(until, now), limit)))
      }),
      Context.add(WebhookStore, {
        ...webhooks,
        due: (until, limit) => gate.whenOpen(Effect.flatMap(now, (now) => webhooks.due(later(until, now), limit)))
      })
    )
  }))
