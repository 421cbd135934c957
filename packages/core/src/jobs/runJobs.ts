/** Claims and runs jobs, of several queues in one process. */
import { Clock, Duration, Effect, FiberSet, Latch, Option } from "effect"
import { type Claim, JobStore } from "../ports/JobStore.ts"
import { continuing } from "./continuing.ts"
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
 * change wakes each loop, and each asks the store.
 */
export const runJobs = Effect.fnUntraced(function*<R>(lanes: ReadonlyArray<Lane<R>>) {
  const jobs = yield* JobStore
  const running = yield* FiberSet.make<void>()
  const free = new Map(lanes.map((lane) => [lane, lane.places]))
  const laneOf = new Map(lanes.flatMap((lane) => [...lane.handlers.keys()].map((queue) => [queue, lane] as const)))
  /** Open after a change, or when a full lane has a place again. */
  const woken = Latch.makeUnsafe()
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(jobs.changed, woken.open)), { startImmediately: true })

  const run = (claimed: Claim) =>
    Effect.suspend(() => {
      const { queue } = claimed.job
      const lane = laneOf.get(queue)!
      free.set(lane, free.get(lane)! - 1)
      const leave = Effect.suspend(() => {
        const before = free.get(lane)!
        free.set(lane, before + 1)
        return before === 0 ? woken.open : Effect.void
      })
      return FiberSet.run(running, Effect.ensuring(runJob(claimed, lane.handlers.get(queue)!), leave))
    })

  // Not interrupted between the claim and its run: nobody would requeue the job.
  const claim = (queues: ReadonlyArray<string>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => jobs.claim(queues, LEASE, new Date(now))).pipe(
      continuing,
      Effect.map(Option.flatten),
      Effect.tap(Option.match({ onNone: () => Effect.void, onSome: run })),
      Effect.uninterruptible
    )

  const next = Effect.gen(function*() {
    yield* woken.close
    const queues = lanes.flatMap((lane) => free.get(lane)! > 0 ? [...lane.handlers.keys()] : [])
    const claimed = queues.length === 0 ? Option.none() : yield* claim(queues)
    // A timer beside the loop would run on while a test clock moves and claims wait.
    if (Option.isNone(claimed)) yield* Effect.timeoutOption(woken.await, POLL)
  })
  // Forked last, so that it ends first: it would claim what is requeued.
  yield* Effect.forkScoped(Effect.forever(next))
})
