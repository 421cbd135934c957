/** Claims and runs jobs, of several queues in one process. */
import { Clock, Duration, Effect, FiberSet, Latch, Option } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { type Claim, JobStore } from "../ports/JobStore.ts"
import { keepRunning } from "./keepRunning.ts"
import { makeSlots } from "./slots.ts"
import { type Handler, LEASE, runJob } from "./runJob.ts"

/** How soon a job without a notification is found. */
const POLL = Duration.seconds(1)

/** Queues whose jobs share slots in this process. */
export interface Lane<R> {
  /** By queue. */
  readonly handlers: ReadonlyMap<string, Handler<R>>
  /** How many of their jobs run at a time. */
  readonly slots: number
}

/**
 * Starts to run jobs. When the scope closes, it requeues those that run. One loop claims for all lanes, because every
 * change wakes each loop, and each asks the store; a lane that a workspace crowds has claims of its own.
 */
export const runJobs = Effect.fnUntraced(function*<R>(lanes: ReadonlyArray<Lane<R>>) {
  const jobs = yield* JobStore
  const running = yield* FiberSet.make<void>()
  const lanesHere = lanes.map(({ handlers, slots }) => ({
    handlers,
    queues: [...handlers.keys()],
    slots: makeSlots(slots)
  }))
  const laneOf = new Map(lanesHere.flatMap((lane) => lane.queues.map((queue) => [queue, lane] as const)))
  /** Open after a change, or when a full lane has a free slot again. */
  const woken = Latch.makeUnsafe()
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(jobs.changed, woken.open)), { startImmediately: true })

  const run = (claimed: Claim) =>
    Effect.suspend(() => {
      const { queue, workspace_id } = claimed.job
      const { handlers, slots } = laneOf.get(queue)!
      slots.acquire(workspace_id)
      const release = Effect.suspend(() => {
        const wasFull = slots.isFull()
        slots.release(workspace_id)
        return wasFull ? woken.open : Effect.void
      })
      return FiberSet.run(running, Effect.ensuring(runJob(claimed, handlers.get(queue)!), release))
    })

  /** Whether there was a job. Not interrupted between the claim and its run: nobody would requeue the job. */
  const claim = (queues: ReadonlyArray<string>, passedOver: ReadonlyArray<WorkspaceId>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => jobs.claim(queues, LEASE, new Date(now), passedOver)).pipe(
      keepRunning,
      Effect.map(Option.flatten),
      Effect.tap(Option.match({ onNone: () => Effect.void, onSome: run })),
      Effect.map(Option.isSome),
      Effect.uninterruptible
    )

  const next = Effect.gen(function*() {
    yield* woken.close
    const open = lanesHere.filter(({ slots }) => !slots.isFull())
      .map(({ slots, queues }) => ({ queues, dominant: slots.dominant() }))
    const quiet = open.flatMap(({ dominant, queues }) => dominant.length === 0 ? queues : [])
    let isIdle = quiet.length === 0 || !(yield* claim(quiet, []))
    for (const { dominant, queues } of open) {
      if (dominant.length === 0) continue
      const hasJob = (yield* claim(queues, dominant)) || (yield* claim(queues, []))
      if (hasJob) isIdle = false
    }
    // A timer beside the loop would run on while a test clock moves and claims wait.
    if (isIdle) yield* Effect.timeoutOption(woken.await, POLL)
  })
  // Forked last, so that it ends first: it would claim what is requeued.
  yield* Effect.forkScoped(Effect.forever(next))
})
