/** Claims and runs jobs, of several queues in one process. */
import { Clock, Duration, Effect, FiberSet, Latch, Option } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { type Claim, JobStore } from "../ports/JobStore.ts"
import { continuing } from "./continuing.ts"
import { makePlaces } from "./places.ts"
import { type Handler, LEASE, runJob } from "./runJob.ts"

/** How soon a job without a notification is found. */
const POLL = Duration.seconds(1)

/** Queues whose jobs share places in this process. */
export interface Lane<R> {
  /** By queue. */
  readonly handlers: ReadonlyMap<string, Handler<R>>
  /** How many of their jobs run at a time. */
  readonly places: number
}

/**
 * Starts to run jobs. When the scope closes, it requeues those that run. One loop claims for all lanes, because every
 * change wakes each loop, and each asks the store; a lane that a workspace crowds has claims of its own.
 */
export const runJobs = Effect.fnUntraced(function*<R>(lanes: ReadonlyArray<Lane<R>>) {
  const jobs = yield* JobStore
  const running = yield* FiberSet.make<void>()
  const lanesHere = lanes.map(({ handlers, places }) => ({
    handlers,
    queues: [...handlers.keys()],
    places: makePlaces(places)
  }))
  const laneOf = new Map(lanesHere.flatMap((lane) => lane.queues.map((queue) => [queue, lane] as const)))
  /** Open after a change, or when a full lane has a place again. */
  const woken = Latch.makeUnsafe()
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(jobs.changed, woken.open)), { startImmediately: true })

  const run = (claimed: Claim) =>
    Effect.suspend(() => {
      const { queue, workspace_id } = claimed.job
      const { handlers, places } = laneOf.get(queue)!
      places.take(workspace_id)
      const leave = Effect.suspend(() => {
        const wasFull = places.isFull()
        places.leave(workspace_id)
        return wasFull ? woken.open : Effect.void
      })
      return FiberSet.run(running, Effect.ensuring(runJob(claimed, handlers.get(queue)!), leave))
    })

  /** Whether there was a job. Not interrupted between the claim and its run: nobody would requeue the job. */
  const claim = (queues: ReadonlyArray<string>, passedOver: ReadonlyArray<WorkspaceId>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => jobs.claim(queues, LEASE, new Date(now), passedOver)).pipe(
      continuing,
      Effect.map(Option.flatten),
      Effect.tap(Option.match({ onNone: () => Effect.void, onSome: run })),
      Effect.map(Option.isSome),
      Effect.uninterruptible
    )

  const next = Effect.gen(function*() {
    yield* woken.close
    const open = lanesHere.filter(({ places }) => !places.isFull())
      .map(({ places, queues }) => ({ queues, crowding: places.crowding() }))
    const quiet = open.flatMap(({ crowding, queues }) => crowding.length === 0 ? queues : [])
    let isIdle = quiet.length === 0 || !(yield* claim(quiet, []))
    for (const { crowding, queues } of open) {
      if (crowding.length === 0) continue
      const hasJob = (yield* claim(queues, crowding)) || (yield* claim(queues, []))
      if (hasJob) isIdle = false
    }
    // A timer beside the loop would run on while a test clock moves and claims wait.
    if (isIdle) yield* Effect.timeoutOption(woken.await, POLL)
  })
  // Forked last, so that it ends first: it would claim what is requeued.
  yield* Effect.forkScoped(Effect.forever(next))
})
