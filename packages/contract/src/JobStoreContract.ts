/** The contract of `JobStore` for one job, from start to end. */
import { assert } from "@effect/vitest"
import { JobId, type WorkspaceId } from "@tributary/core/model/Id"
import { type Claim, JobStore } from "@tributary/core/ports/JobStore"
import { Duration, Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import { freshWorkspace, moment, newJob, newQueue, newUuid } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const LEASE = Duration.minutes(10)
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
const ERROR = { error_code: "broken", message: "It broke. 😀" }

const begun = Effect.gen(function*() {
  const jobs = yield* JobStore
  const workspaceId = yield* freshWorkspace
  const queue = newQueue()
  const job = newJob(workspaceId, queue)
  yield* jobs.enqueue(job, null)
  const { lease } = Option.getOrThrow(yield* jobs.claim([queue], LEASE, moment(10)))
  return {
    jobs,
    workspaceId,
    queue,
    job,
    lease,
    claim: (now: Date) => jobs.claim([queue], LEASE, now),
    stored: Effect.map(jobs.find(workspaceId, queue, job.job_id), Option.getOrThrow)
  }
})

const jobIdOf = (claim: Option.Option<Claim>) => Option.getOrNull(claim)?.job.job_id ?? null

export const jobStoreContract = (it: Kit): void => {
  it.effect.prop("returns a job as it was queued", [anyText, anyText], ([key, text]) =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const workspaceId = yield* freshWorkspace
      const payload = JSON.stringify({ text: `${text}\0`, [text]: 1.0 })
      const job = newJob(workspaceId, newQueue(), { key, payload, run_at: moment(7), max_attempts: 9, trace: TRACE })
      assert.deepStrictEqual(yield* jobs.enqueue(job, null), Option.some(job.job_id))
      const { joins: _, ...stored } = job
      const expected = {
        ...stored,
        status: "queued" as const,
        attempt: 0,
        started_at: null,
        finished_at: null,
        progress: null,
        error: null,
        result: null
      }
      assert.deepStrictEqual(yield* jobs.find(workspaceId, job.queue, job.job_id), Option.some(expected))
    }), RUNS)

  it.effect("starts a due job, as its first attempt", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const workspaceId = yield* freshWorkspace
      const job = newJob(workspaceId, newQueue(), { run_at: moment(60_000) })
      yield* jobs.enqueue(job, null)
      assert.isTrue(Option.isNone(yield* jobs.claim([job.queue], LEASE, moment(59_999))))
      assert.isTrue(Option.isNone(yield* jobs.claim([newQueue()], LEASE, moment(60_000))))
      assert.isTrue(Option.isNone(yield* jobs.claim([], LEASE, moment(60_000))))
      const claim = Option.getOrThrow(yield* jobs.claim([newQueue(), job.queue], LEASE, moment(60_000)))
      assert.strictEqual(claim.job.job_id, job.job_id)
      assert.strictEqual(claim.job.status, "running")
      assert.strictEqual(claim.job.attempt, 1)
      assert.deepStrictEqual(claim.job.started_at, moment(60_000))
      assert.deepStrictEqual(yield* jobs.find(workspaceId, job.queue, job.job_id), Option.some(claim.job))
    }))

  it.effect("succeeds with its result, once", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, lease, stored } = yield* begun
      const result = JSON.stringify({ text: "\0😀\\" })
      assert.isTrue(yield* jobs.finish(job.job_id, lease, { _tag: "Succeeded", result }, moment(20)))
      const done = yield* stored
      assert.strictEqual(done.status, "succeeded")
      assert.strictEqual(done.result, result)
      assert.deepStrictEqual(done.finished_at, moment(20))
      assert.isFalse(yield* jobs.finish(job.job_id, lease, { _tag: "Failed", error: ERROR }, moment(30)))
      assert.isFalse(yield* jobs.heartbeat(job.job_id, lease, LEASE, { done: 1, total: 2 }))
      assert.deepStrictEqual(yield* stored, done)
      assert.isTrue(Option.isNone(yield* claim(moment(1_000))))
    }))

  it.effect("fails with its error", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, lease, stored } = yield* begun
      assert.isTrue(yield* jobs.finish(job.job_id, lease, { _tag: "Failed", error: ERROR }, moment(20)))
      const { error, finished_at, status } = yield* stored
      assert.deepStrictEqual({ error, finished_at, status }, {
        error: ERROR,
        finished_at: moment(20),
        status: "failed"
      })
      assert.isTrue(Option.isNone(yield* claim(moment(1_000))))
    }))

  it.effect("is retried at the given time, as the next attempt with the last error", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, lease, stored } = yield* begun
      yield* jobs.heartbeat(job.job_id, lease, LEASE, { done: 1, total: 2 })
      assert.isTrue(
        yield* jobs.finish(job.job_id, lease, { _tag: "Retry", error: ERROR, at: moment(60_000) }, moment(20))
      )
      const waiting = yield* stored
      assert.strictEqual(waiting.status, "queued")
      assert.strictEqual(waiting.attempt, 1)
      assert.isNull(waiting.finished_at)
      assert.deepStrictEqual(waiting.run_at, moment(60_000))
      assert.deepStrictEqual(waiting.error, ERROR)
      assert.isTrue(Option.isNone(yield* claim(moment(59_999))))
      const again = Option.getOrThrow(yield* claim(moment(60_000)))
      assert.strictEqual(again.job.attempt, 2)
      assert.deepStrictEqual(again.job.started_at, moment(10))
      assert.isNull(again.job.progress)
      assert.notStrictEqual(again.lease, lease)
      assert.isFalse(yield* jobs.finish(job.job_id, lease, { _tag: "Succeeded", result: null }, moment(60_100)))
      assert.isFalse(yield* jobs.heartbeat(job.job_id, lease, LEASE, null))
      assert.isTrue(yield* jobs.finish(job.job_id, again.lease, { _tag: "Succeeded", result: null }, moment(60_100)))
    }))

  it.effect("returns a released attempt, as if it had not started", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, lease, stored } = yield* begun
      yield* jobs.heartbeat(job.job_id, lease, LEASE, { done: 1, total: null })
      assert.isTrue(yield* jobs.finish(job.job_id, lease, { _tag: "Released" }, moment(20)))
      const { attempt, error, finished_at, progress, run_at, started_at, status } = yield* stored
      assert.deepStrictEqual(
        { attempt, error, finished_at, progress, run_at, started_at, status },
        {
          attempt: 0,
          error: null,
          finished_at: null,
          progress: null,
          run_at: job.run_at,
          started_at: null,
          status: "queued"
        }
      )
      assert.isFalse(yield* jobs.heartbeat(job.job_id, lease, LEASE, null))
      assert.strictEqual(Option.getOrThrow(yield* claim(moment(20))).job.attempt, 1)
    }))

  it.effect("keeps the start of the first attempt when a later one is released", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, lease, stored } = yield* begun
      yield* jobs.finish(job.job_id, lease, { _tag: "Retry", error: ERROR, at: moment(30) }, moment(20))
      const again = Option.getOrThrow(yield* claim(moment(30)))
      yield* jobs.heartbeat(job.job_id, again.lease, LEASE, { done: 1, total: null })
      yield* jobs.finish(job.job_id, again.lease, { _tag: "Released" }, moment(40))
      const { attempt, error, progress, started_at } = yield* stored
      assert.deepStrictEqual(
        { attempt, error, progress, started_at },
        { attempt: 1, error: ERROR, progress: null, started_at: moment(10) }
      )
    }))

  it.effect("stores progress with a heartbeat, and keeps it otherwise", () =>
    Effect.gen(function*() {
      const { job, jobs, lease, stored } = yield* begun
      assert.isNull((yield* stored).progress)
      assert.isTrue(yield* jobs.heartbeat(job.job_id, lease, LEASE, { done: 3, total: null }))
      assert.isTrue(yield* jobs.heartbeat(job.job_id, lease, LEASE, null))
      assert.deepStrictEqual((yield* stored).progress, { done: 3, total: null })
      yield* jobs.heartbeat(job.job_id, lease, LEASE, { done: 4, total: 9 })
      assert.deepStrictEqual((yield* stored).progress, { done: 4, total: 9 })
    }))

  it.effect("can be changed only with its lease", () =>
    Effect.gen(function*() {
      const { job, jobs, stored } = yield* begun
      const before = yield* stored
      const forged = newUuid()
      assert.isFalse(yield* jobs.heartbeat(job.job_id, forged, LEASE, { done: 1, total: 1 }))
      for (
        const outcome of [
          { _tag: "Succeeded", result: "1" },
          { _tag: "Failed", error: ERROR },
          { _tag: "Retry", error: ERROR, at: moment() },
          { _tag: "Released" }
        ] as const
      ) assert.isFalse(yield* jobs.finish(job.job_id, forged, outcome, moment(20)))
      assert.deepStrictEqual(yield* stored, before)
    }))

  it.effect("is cancelled while it waits, and never runs", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const workspaceId = yield* freshWorkspace
      const job = newJob(workspaceId, newQueue())
      yield* jobs.enqueue(job, null)
      const cancelled = Option.getOrThrow(yield* jobs.cancel(workspaceId, job.queue, job.job_id, moment(5)))
      assert.strictEqual(cancelled.status, "cancelled")
      assert.deepStrictEqual(cancelled.finished_at, moment(5))
      assert.deepStrictEqual(yield* jobs.find(workspaceId, job.queue, job.job_id), Option.some(cancelled))
      assert.isTrue(Option.isNone(yield* jobs.claim([job.queue], LEASE, moment(10))))
    }))

  it.effect("is cancelled while it runs, and its worker learns it with the next heartbeat", () =>
    Effect.gen(function*() {
      const { job, jobs, lease, queue, stored, workspaceId } = yield* begun
      yield* jobs.cancel(workspaceId, queue, job.job_id, moment(15))
      assert.isFalse(yield* jobs.heartbeat(job.job_id, lease, LEASE, null))
      assert.isFalse(yield* jobs.finish(job.job_id, lease, { _tag: "Succeeded", result: "1" }, moment(20)))
      const { finished_at, result, status } = yield* stored
      assert.deepStrictEqual(
        { finished_at, result, status },
        { finished_at: moment(15), result: null, status: "cancelled" }
      )
    }))

  it.effect("keeps its result if it is cancelled afterwards", () =>
    Effect.gen(function*() {
      const { job, jobs, lease, queue, stored, workspaceId } = yield* begun
      yield* jobs.finish(job.job_id, lease, { _tag: "Succeeded", result: "1" }, moment(20))
      const done = yield* stored
      const cancelled = yield* jobs.cancel(workspaceId, queue, job.job_id, moment(30))
      assert.deepStrictEqual(cancelled, Option.some(done))
      assert.deepStrictEqual(yield* stored, done)
    }))

  it.effect("is visible only in its own workspace and queue", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, lease, queue, stored, workspaceId } = yield* begun
      const stranger = yield* freshWorkspace
      const everything = { status: null, after: null, limit: 10 }
      const before = yield* stored
      for (const [workspace, name] of [[stranger, queue], [workspaceId, newQueue()]] as const) {
        assert.isTrue(Option.isNone(yield* jobs.find(workspace, name, job.job_id)))
        assert.isTrue(Option.isNone(yield* jobs.cancel(workspace, name, job.job_id, moment(15))))
        assert.deepStrictEqual(yield* jobs.list(workspace, name, everything), [])
      }
      assert.isTrue(Option.isNone(yield* jobs.find(workspaceId, queue, JobId.make(newUuid()))))
      assert.deepStrictEqual(yield* stored, before)
      assert.isTrue(yield* jobs.heartbeat(job.job_id, lease, LEASE, null))
      assert.isNull(jobIdOf(yield* claim(moment(20))))
    }))

  it.effect("is deleted some time after it ended, never before", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const workspaceId = yield* freshWorkspace
      const queue = newQueue()
      // Long before the times of all other tests, so that nothing of theirs is counted.
      const past = (millis: number) => new Date(Date.parse("2001-01-01T00:00:00.000Z") + millis)
      yield* jobs.prune(past(1_000))
      const queued = ["cancelled", "late", "queued"].map((key) =>
        newJob(workspaceId, queue, { key, created_at: past(0) })
      )
      for (const job of queued) yield* jobs.enqueue(job, null)
      yield* jobs.cancel(workspaceId, queue, queued[0]!.job_id, past(10))
      yield* jobs.cancel(workspaceId, queue, queued[1]!.job_id, past(20))
      assert.strictEqual(yield* jobs.prune(past(10)), 0)
      assert.strictEqual(yield* jobs.prune(past(20)), 1)
      assert.strictEqual(yield* jobs.prune(past(20)), 0)
      const left = yield* jobs.list(workspaceId, queue, { status: null, after: null, limit: 10 })
      assert.deepStrictEqual(left.map(({ key }) => key), ["queued", "late"])
    }))

  it.effect("is deleted sooner if a later one of its workspace and queue has ended, but for those of one queue", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const past = (millis: number) => new Date(Date.parse("2002-01-01T00:00:00.000Z") + millis)
      const kept = newQueue()
      yield* jobs.pruneFollowed(kept, past(1_000))
      const [ours, other] = [yield* freshWorkspace, yield* freshWorkspace]
      const queue = newQueue()
      const end = Effect.fnUntraced(function*(workspaceId: WorkspaceId, name: string, key: string, at: number) {
        const job = newJob(workspaceId, name, { key, created_at: past(0) })
        yield* jobs.enqueue(job, null)
        yield* jobs.cancel(workspaceId, name, job.job_id, past(at))
      })
      for (const name of [queue, kept]) {
        yield* end(ours, name, "first", 10)
        yield* end(ours, name, "second", 11)
        yield* end(ours, name, "late", 20)
        yield* end(ours, name, "last", 12)
        yield* jobs.enqueue(newJob(ours, name, { key: "waits", created_at: past(0) }), null)
        yield* end(other, name, "only", 10)
      }
      assert.strictEqual(yield* jobs.pruneFollowed(kept, past(10)), 0)
      assert.strictEqual(yield* jobs.pruneFollowed(kept, past(20)), 2)
      assert.strictEqual(yield* jobs.pruneFollowed(kept, past(20)), 0)
      const keysOf = (workspaceId: WorkspaceId, name: string) =>
        Effect.map(
          jobs.list(workspaceId, name, { status: null, after: null, limit: 10 }),
          (left) => left.map(({ key }) => key)
        )
      assert.deepStrictEqual(yield* keysOf(ours, queue), ["waits", "last", "late"])
      assert.deepStrictEqual(yield* keysOf(other, queue), ["only"])
      assert.deepStrictEqual(yield* keysOf(ours, kept), ["waits", "last", "late", "second", "first"])
    }))
}
