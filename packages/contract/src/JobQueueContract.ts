/** The contract of `JobStore` for many jobs: order, limits and claims. */
import { assert } from "@effect/vitest"
import { DAY } from "@tributary/core/model/Day"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Duration, Effect, Fiber, Option } from "effect"
import { newConnection } from "./internal/connections.ts"
import { fiftyTimes, freshSource, freshWorkspace, item, moment, newJob, newQueue } from "./internal/fixtures.ts"
import { type Kit, StoreClock } from "./internal/Kit.ts"

const LEASE = Duration.minutes(10)
const DONE = { _tag: "Succeeded", result: null } as const

/** A separate queue, with the store's methods on it. */
const freshQueue = Effect.gen(function*() {
  const jobs = yield* JobStore
  const workspaceId = yield* freshWorkspace
  const queue = newQueue()
  const everything = { status: null, after: null, limit: 100 }
  return {
    jobs,
    workspaceId,
    queue,
    job: (fields?: Parameters<typeof newJob>[2]) => newJob(workspaceId, queue, fields),
    claim: (now: Date) => Effect.map(jobs.claim([queue], LEASE, now), Option.getOrNull),
    list: (options?: Partial<typeof everything>) => jobs.list(workspaceId, queue, { ...everything, ...options })
  }
})

export const jobQueueContract = (it: Kit): void => {
  it.effect("queues the deletion of documents with that of their connection, once", () =>
    Effect.gen(function*() {
      const [jobs, connections] = [yield* JobStore, yield* ConnectionStore]
      const [workspaceId, queue, connection] = [yield* freshWorkspace, newQueue(), newConnection()]
      const { connection_id } = connection
      yield* connections.insert(workspaceId, connection, 9)
      const [first, second] = [newJob(workspaceId, queue), newJob(workspaceId, queue)]
      assert.isTrue(yield* connections.remove(workspaceId, connection_id, first))
      assert.isFalse(yield* connections.remove(workspaceId, connection_id, second))
      const queued = yield* jobs.list(workspaceId, queue, { status: null, after: null, limit: 9 })
      assert.deepStrictEqual(queued.map(({ job_id }) => job_id), [first.job_id])
    }))

  it.effect("claims the oldest job first, of all given queues", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, queue, workspaceId } = yield* freshQueue
      const made = [1, 2, 3].map((at) => job({ created_at: moment(at), run_at: moment(9 - at) }))
      const elsewhere = newJob(workspaceId, newQueue(), { created_at: moment(0), run_at: moment(0) })
      for (const next of [made[1]!, made[0]!, made[2]!, elsewhere]) yield* jobs.enqueue(next, null)
      const first = Option.getOrThrow(yield* jobs.claim([queue, elsewhere.queue], LEASE, moment(10)))
      assert.strictEqual(first.job.job_id, elsewhere.job_id)
      for (const expected of made) assert.strictEqual((yield* claim(moment(10)))?.job.job_id, expected.job_id)
      assert.isNull(yield* claim(moment(10)))
    }))

  it.effect("passes over the jobs of given workspaces", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, queue, workspaceId } = yield* freshQueue
      const other = newJob(yield* freshWorkspace, queue, { created_at: moment(2), run_at: moment(2) })
      const own = job({ created_at: moment(1), run_at: moment(1) })
      for (const next of [own, other]) yield* jobs.enqueue(next, null)
      const passing = Effect.map(
        jobs.claim([queue], LEASE, moment(10), [workspaceId]),
        Option.match({ onNone: () => null, onSome: ({ job }) => job.job_id })
      )
      assert.deepStrictEqual([yield* passing, yield* passing], [other.job_id, null])
      assert.strictEqual((yield* claim(moment(10)))?.job.job_id, own.job_id)
    }))

  it.effect("claims a job that was queued before the clock was set back", () =>
    Effect.gen(function*() {
      const { claim, job, jobs } = yield* freshQueue
      const later = job({ created_at: moment(3_600_000), run_at: moment(3_600_000) })
      yield* jobs.enqueue(later, null)
      assert.strictEqual((yield* claim(moment()))?.job.job_id, later.job_id)
    }))

  it.effect("makes a job that was queued before the clock was set back wait out its pauses", () =>
    Effect.gen(function*() {
      const { claim, job, jobs } = yield* freshQueue
      const later = job({ created_at: moment(3_600_000), run_at: moment(3_600_000) })
      yield* jobs.enqueue(later, null)
      const { lease } = (yield* claim(moment()))!
      const error = { error_code: "broken", message: "broken" }
      yield* jobs.finish(later.job_id, lease, { _tag: "Retry", error, at: moment(60_000) }, moment())
      assert.isNull(yield* claim(moment(59_999)))
      assert.strictEqual((yield* claim(moment(60_000)))?.job.attempt, 2)
    }))

  it.effect("ends the pauses of jobs when the clock is set back", () =>
    Effect.gen(function*() {
      const { claim, job, jobs } = yield* freshQueue
      const clock = yield* StoreClock
      const yesterday = job({ created_at: moment(-DAY), run_at: moment(-DAY) })
      yield* jobs.enqueue(yesterday, null)
      const { lease } = (yield* claim(moment()))!
      const error = { error_code: "broken", message: "broken" }
      yield* jobs.finish(yesterday.job_id, lease, { _tag: "Retry", error, at: moment(60_000) }, moment())
      assert.isNull(yield* claim(moment()))
      yield* clock.advance(Duration.days(-1))
      assert.strictEqual((yield* claim(moment(-DAY)))?.job.attempt, 2)
      yield* clock.advance(Duration.days(1))
    }))

  it.effect("joins the oldest of several queued jobs", () =>
    Effect.gen(function*() {
      const { job, jobs } = yield* freshQueue
      const [later, earlier] = [2, 1].map((at) => job({ key: "a", created_at: moment(at) }))
      for (const next of [later!, earlier!]) yield* jobs.enqueue(next, null)
      assert.deepStrictEqual(yield* jobs.enqueue(job({ key: "a", joins: true }), null), Option.some(earlier!.job_id))
    }))

  it.effect("runs the jobs of one key one after the other, and those of other keys concurrently", () =>
    Effect.gen(function*() {
      const { claim, job, jobs } = yield* freshQueue
      const [a1, a2, b] = [job({ key: "a" }), job({ key: "a" }), job({ key: "b" })]
      for (const next of [a1, a2, b]) yield* jobs.enqueue(next, null)
      const first = (yield* claim(moment()))!
      assert.strictEqual(first.job.job_id, a1.job_id)
      assert.strictEqual((yield* claim(moment()))?.job.job_id, b.job_id)
      assert.isNull(yield* claim(moment()))
      yield* jobs.finish(a1.job_id, first.lease, DONE, moment())
      assert.strictEqual((yield* claim(moment()))?.job.job_id, a2.job_id)
    }))

  it.effect("treats the same key in two queues as two keys", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, workspaceId } = yield* freshQueue
      const other = newJob(workspaceId, newQueue(), { key: "a" })
      yield* jobs.enqueue(job({ key: "a" }), null)
      yield* jobs.enqueue(other, null)
      assert.isNotNull(yield* claim(moment()))
      assert.isTrue(Option.isSome(yield* jobs.claim([other.queue], LEASE, moment())))
    }))

  it.effect("does not delay a later job of a key behind a waiting retry", () =>
    Effect.gen(function*() {
      const { claim, job, jobs } = yield* freshQueue
      const [first, second] = [job({ key: "a" }), job({ key: "a" })]
      yield* jobs.enqueue(first, null)
      yield* jobs.enqueue(second, null)
      const { lease } = (yield* claim(moment()))!
      const error = { error_code: "broken", message: "broken" }
      yield* jobs.finish(first.job_id, lease, { _tag: "Retry", error, at: moment(1_000) }, moment())
      assert.strictEqual((yield* claim(moment(1)))?.job.job_id, second.job_id)
    }))

  it.effect("gives each job to one of fifty concurrent claims, and never two of one key", () =>
    Effect.gen(function*() {
      const { claim, job, jobs } = yield* freshQueue
      const made = Array.from({ length: 20 }, (_, index) => job({ key: `key-${index % 10}` }))
      for (const next of made) yield* jobs.enqueue(next, null)
      const claims = (yield* fiftyTimes(() => claim(moment()))).filter((claim) => claim !== null)
      assert.strictEqual(claims.length, 10)
      assert.strictEqual(new Set(claims.map(({ job }) => job.key)).size, 10)
      assert.strictEqual(new Set(claims.map(({ lease }) => lease)).size, 10)
    }))

  it.effect("limits the number of waiting jobs, not counting running ones", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, list } = yield* freshQueue
      assert.isTrue(Option.isSome(yield* jobs.enqueue(job(), 2)))
      assert.isTrue(Option.isSome(yield* jobs.enqueue(job(), 2)))
      assert.isTrue(Option.isNone(yield* jobs.enqueue(job(), 2)))
      assert.strictEqual((yield* list()).length, 2)
      yield* claim(moment())
      assert.isTrue(Option.isSome(yield* jobs.enqueue(job(), 2)))
    }))

  it.effect("counts waiting jobs per workspace and queue", () =>
    Effect.gen(function*() {
      const { job, jobs, queue, workspaceId } = yield* freshQueue
      yield* jobs.enqueue(job(), 1)
      assert.isTrue(Option.isSome(yield* jobs.enqueue(newJob(workspaceId, newQueue()), 1)))
      assert.isTrue(Option.isSome(yield* jobs.enqueue(newJob(yield* freshWorkspace, queue), 1)))
    }))

  it.effect("fills the limit of waiting jobs exactly with fifty concurrent calls", () =>
    Effect.gen(function*() {
      const { job, jobs, list } = yield* freshQueue
      const answers = yield* fiftyTimes(() => jobs.enqueue(job(), 7))
      assert.strictEqual(answers.filter(Option.isSome).length, 7)
      assert.strictEqual((yield* list()).length, 7)
    }))

  it.effect("joins a waiting job with the same key and payload, at the earlier time", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, list } = yield* freshQueue
      const first = job({ key: "a", run_at: moment(100) })
      const joining = (run_at: Date, fields = {}) => job({ key: "a", joins: true, run_at, ...fields })
      yield* jobs.enqueue(first, null)
      // A full queue still takes what joins.
      assert.deepStrictEqual(yield* jobs.enqueue(joining(moment(200)), 1), Option.some(first.job_id))
      assert.deepStrictEqual((yield* list())[0]?.run_at, moment(100))
      assert.deepStrictEqual(yield* jobs.enqueue(joining(moment(50)), 1), Option.some(first.job_id))
      assert.deepStrictEqual((yield* list()).map(({ run_at }) => run_at), [moment(50)])
      // By the clock of its own server, this one is due at once.
      const ahead = joining(moment(3_600_000), { created_at: moment(3_600_000) })
      assert.deepStrictEqual(yield* jobs.enqueue(ahead, 1), Option.some(first.job_id))
      assert.deepStrictEqual((yield* list()).map(({ run_at }) => run_at), [moment(50)])
      assert.isTrue(Option.isNone(yield* jobs.enqueue(joining(moment(), { payload: "[]" }), 1)))
      const others = [joining(moment(), { payload: "[]" }), joining(moment(), { key: "b" }), job({ key: "a" })]
      for (const other of others) {
        assert.deepStrictEqual(yield* jobs.enqueue(other, null), Option.some(other.job_id))
      }
      assert.strictEqual((yield* list()).length, 4)
      assert.isNotNull(yield* claim(moment(50)))
    }))

  it.effect("does not join a running or finished job, or one of another workspace", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, queue } = yield* freshQueue
      const [first, second, third] = [1, 2, 3].map(() => job({ key: "a", joins: true }))
      yield* jobs.enqueue(first!, null)
      yield* claim(moment())
      assert.deepStrictEqual(yield* jobs.enqueue(second!, null), Option.some(second!.job_id))
      const foreign = newJob(yield* freshWorkspace, queue, { key: "a", joins: true })
      assert.deepStrictEqual(yield* jobs.enqueue(foreign, null), Option.some(foreign.job_id))
      yield* jobs.cancel(second!.workspace_id, queue, second!.job_id, moment())
      assert.deepStrictEqual(yield* jobs.enqueue(third!, null), Option.some(third!.job_id))
    }))

  it.effect("queues nothing under an id that was queued before, whatever its state", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, list } = yield* freshQueue
      const known = job({ key: "a" })
      yield* jobs.enqueue(known, null)
      assert.deepStrictEqual(yield* jobs.enqueue(known, 1), Option.some(known.job_id))
      yield* jobs.cancel(known.workspace_id, known.queue, known.job_id, moment())
      assert.deepStrictEqual(yield* jobs.enqueue(known, null), Option.some(known.job_id))
      assert.deepStrictEqual((yield* list()).map(({ status }) => status), ["cancelled"])
      assert.isNull(yield* claim(moment()))
    }))

  it.effect("creates one job for fifty that join concurrently", () =>
    Effect.gen(function*() {
      const { job, jobs, list } = yield* freshQueue
      const ids = yield* fiftyTimes(() => jobs.enqueue(job({ key: "a", joins: true }), null))
      assert.strictEqual(new Set(ids.map(Option.getOrNull)).size, 1)
      assert.strictEqual((yield* list()).length, 1)
    }))

  it.effect("lists newest first by id, in pages that stay stable, of one state or of all", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, list } = yield* freshQueue
      const made = [1, 2, 3, 4].map(() => job())
      const [a, b, c, d] = made.map(({ job_id }) => job_id)
      for (const index of [1, 0, 2]) yield* jobs.enqueue(made[index]!, null)
      const ids = (found: ReadonlyArray<{ readonly job_id: string }>): ReadonlyArray<string | undefined> =>
        found.map(({ job_id }) => job_id)
      assert.deepStrictEqual(ids(yield* list({ limit: 2 })), [c, b])
      yield* jobs.enqueue(made[3]!, null)
      assert.deepStrictEqual(
        ids(
          yield* jobs.list(made[0]!.workspace_id, made[0]!.queue, {
            status: null,
            after: made[1]!.job_id,
            limit: 2
          })
        ),
        [a]
      )
      const claimed = (yield* claim(moment()))?.job.job_id
      const inState = (status: "queued" | "running") =>
        jobs.list(made[0]!.workspace_id, made[0]!.queue, { status, after: null, limit: 10 })
      assert.deepStrictEqual(ids(yield* inState("running")), [claimed])
      assert.deepStrictEqual(ids(yield* inState("queued")), [d, c, b, a].filter((id) => id !== claimed))
    }))

  it.effect("wakes every waiter when something changes", () =>
    Effect.gen(function*() {
      const { job, jobs } = yield* freshQueue
      const wait = Effect.gen(function*() {
        const waiting = yield* Effect.forEach(
          [1, 2, 3],
          () => Effect.forkChild(jobs.changed, { startImmediately: true })
        )
        for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
        return waiting
      })
      // Earlier changes by others may still be in progress.
      const waiting = yield* Effect.repeat(wait, {
        until: (waiting) => waiting.every((fiber) => fiber.pollUnsafe() === undefined),
        times: 20
      })
      assert.deepStrictEqual(waiting.map((fiber) => fiber.pollUnsafe()), [undefined, undefined, undefined])
      yield* jobs.enqueue(job(), null)
      yield* Fiber.joinAll(waiting)
    }))

  it.effect("wakes waiters when a job is queued, ends, is retried or is cancelled, in any process", () =>
    Effect.gen(function*() {
      const { claim, job, jobs, queue, workspaceId } = yield* freshQueue
      const source = yield* freshSource
      const [first, second] = [job(), job()]
      const error = { error_code: "broken", message: "broken" }
      const woken = Effect.fnUntraced(function*<A, E, R>(act: Effect.Effect<A, E, R>) {
        const waiting = yield* Effect.forkChild(jobs.changed, { startImmediately: true })
        yield* act
        yield* Fiber.join(waiting)
      })
      yield* woken(jobs.enqueue(first, null))
      const attempt = (yield* claim(moment()))!
      yield* woken(jobs.finish(first.job_id, attempt.lease, { _tag: "Retry", error, at: moment() }, moment()))
      const { lease } = (yield* claim(moment()))!
      yield* woken(jobs.finish(first.job_id, lease, DONE, moment()))
      yield* jobs.enqueue(second, null)
      yield* woken(jobs.cancel(workspaceId, queue, second.job_id, moment()))
      yield* woken(source.admit([item("a", "alpha")]))
      const removal = { connector_id: source.connector_id, first: 1, until: 100 }
      const follow = newJob(source.workspaceId, queue)
      yield* woken((yield* DocumentStore).remove(source.workspaceId, removal, moment(), follow))
      yield* woken((yield* KnowledgeStore).configure(workspaceId, null, job()))
    }))
}
