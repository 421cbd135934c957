/** The contract of `JobStore` for leases, on the store's own clock. */
import { assert } from "@effect/vitest"
import { JobStore, type NewJob, type ReapedJob, UNTIL_DONE } from "@tributary/core/ports/JobStore"
import { retryPause } from "@tributary/core/ports/retryPause"
import { Duration, Effect, Fiber, Option } from "effect"
import { freshWorkspace, moment, newJob, newQueue } from "./internal/fixtures.ts"
import { type Kit, StoreClock } from "./internal/Kit.ts"

const LEASE = Duration.minutes(10)
const DONE = { _tag: "Succeeded", result: null } as const

const reaped = ({ job_id, queue, workspace_id }: NewJob, status: "failed" | "queued"): ReapedJob => ({
  job_id,
  workspace_id,
  queue,
  status
})

/** A started job, and no other whose lease has expired. */
const begun = Effect.fnUntraced(function*(max_attempts: number) {
  const jobs = yield* JobStore
  const clock = yield* StoreClock
  const workspaceId = yield* freshWorkspace
  const queue = newQueue()
  const job = newJob(workspaceId, queue, { max_attempts })
  yield* clock.advance("1 day")
  yield* jobs.reap(moment())
  yield* jobs.enqueue(job, null)
  const claim = (now = moment(50)) => Effect.map(jobs.claim([queue], LEASE, now), Option.getOrNull)
  const { lease } = (yield* claim())!
  const stored = Effect.map(jobs.find(workspaceId, queue, job.job_id), Option.getOrThrow)
  return { jobs, clock, job, lease, claim, stored }
})

export const jobLeaseContract = (it: Kit): void => {
  it.effect("keeps a lease until it expires, and extends it with every heartbeat", () =>
    Effect.gen(function*() {
      const { clock, job, jobs, lease } = yield* begun(3)
      yield* clock.advance("9 minutes")
      assert.isEmpty(yield* jobs.reap(moment()))
      assert.isTrue(yield* jobs.heartbeat(job.job_id, lease, LEASE, null))
      yield* clock.advance("9 minutes")
      assert.isEmpty(yield* jobs.reap(moment()))
      assert.isTrue(yield* jobs.finish(job.job_id, lease, DONE, moment()))
    }))

  it.effect("loses an expired lease, even before the job is reclaimed", () =>
    Effect.gen(function*() {
      const { clock, job, jobs, lease, stored } = yield* begun(3)
      yield* clock.advance("11 minutes")
      const before = yield* stored
      assert.isFalse(yield* jobs.heartbeat(job.job_id, lease, LEASE, { done: 1, total: 1 }))
      assert.isFalse(yield* jobs.finish(job.job_id, lease, DONE, moment()))
      assert.deepStrictEqual(yield* stored, before)
    }))

  it.effect("reclaims a lost job once, and claims it again under a new lease", () =>
    Effect.gen(function*() {
      const { claim, clock, job, jobs, lease, stored } = yield* begun(2)
      assert.isNull(yield* claim())
      yield* clock.advance("11 minutes")
      const asleep = yield* Effect.forkChild(jobs.changed, { startImmediately: true })
      assert.deepStrictEqual(yield* jobs.reap(moment()), [reaped(job, "queued")])
      yield* Fiber.join(asleep)
      assert.isEmpty(yield* jobs.reap(moment()))
      const waiting = yield* stored
      assert.strictEqual(waiting.status, "queued")
      assert.isNull(waiting.finished_at)
      const again = (yield* claim(moment(1_000)))!
      assert.strictEqual(again.job.job_id, job.job_id)
      assert.strictEqual(again.job.attempt, 2)
      assert.isFalse(yield* jobs.finish(job.job_id, lease, DONE, moment()))
      assert.isTrue(yield* jobs.finish(job.job_id, again.lease, DONE, moment()))
    }))

  it.effect("lets a lost job wait longer after every attempt, whatever joins it", () =>
    Effect.gen(function*() {
      const { claim, clock, job, jobs, stored } = yield* begun(UNTIL_DONE)
      for (const attempts of Array.from({ length: 14 }, (_, attempt) => attempt + 1)) {
        yield* clock.advance("11 minutes")
        yield* jobs.reap(moment())
        const due = moment(retryPause(attempts))
        const joining = newJob(job.workspace_id, job.queue, { key: job.key, payload: job.payload, joins: true })
        assert.deepStrictEqual(yield* jobs.enqueue(joining, null), Option.some(job.job_id))
        assert.deepStrictEqual((yield* stored).run_at, due)
        // The store's own clock may meet the shorter ones.
        if (attempts > 9) assert.isNull(yield* claim(new Date(due.getTime() - 1)))
        assert.strictEqual((yield* claim(due))?.job.attempt, attempts + 1)
      }
    }))

  it.effect("fails a lost job without attempts left", () =>
    Effect.gen(function*() {
      const { claim, clock, job, jobs, stored } = yield* begun(1)
      yield* clock.advance("11 minutes")
      assert.deepStrictEqual(yield* jobs.reap(moment(99)), [reaped(job, "failed")])
      const { attempt, error, finished_at, status } = yield* stored
      assert.deepStrictEqual({ attempt, finished_at, status }, {
        attempt: 1,
        finished_at: moment(99),
        status: "failed"
      })
      assert.isNotNull(error)
      assert.isNull(yield* claim())
    }))

  it.effect("claims the next job of the key after a lost one is reclaimed", () =>
    Effect.gen(function*() {
      const { claim, clock, job, jobs } = yield* begun(1)
      const next = newJob(job.workspace_id, job.queue, { key: job.key })
      yield* jobs.enqueue(next, null)
      assert.isNull(yield* claim())
      yield* clock.advance("11 minutes")
      yield* jobs.reap(moment())
      assert.strictEqual((yield* claim())?.job.job_id, next.job_id)
    }))
}
