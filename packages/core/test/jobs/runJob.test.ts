/** The outcomes of one attempt at a job. */
import { assert, layer } from "@effect/vitest"
import { AccountId, JobId, WorkspaceId } from "@tributary/core/model/Id"
import { type Claim, type Job, JobStore, type NewJob, UNTIL_DONE } from "@tributary/core/ports/JobStore"
import { TraceSampling } from "@tributary/core/ports/TraceSampling"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Deferred, Effect, Fiber, Metric, Option, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { currentTrace } from "../../src/jobs/jobTrace.ts"
import { type Handler, LEASE, runJob } from "../../src/jobs/runJob.ts"

const newId = () => JobId.make(crypto.randomUUID())

const freshWorkspace = Effect.gen(function*() {
  const account = {
    account_id: AccountId.make(crypto.randomUUID()),
    name: "Ada",
    tier: "free",
    created_at: new Date(0)
  } as const
  const workspace_id = WorkspaceId.make(crypto.randomUUID())
  const flags = { kind: "personal", grandfathered: false, suspended: false, overrides: {} } as const
  yield* (yield* WorkspaceStore).createAccount({ ...account, email: null }, { ...account, ...flags, workspace_id })
  return workspace_id
})

/** A claimed job in a separate queue. */
const claimed = Effect.fnUntraced(function*(overrides: Partial<NewJob> = {}) {
  const jobs = yield* JobStore
  const now = new Date(yield* Clock.currentTimeMillis)
  const id = newId()
  yield* jobs.enqueue({
    job_id: id,
    workspace_id: yield* freshWorkspace,
    queue: id,
    key: id,
    payload: "{}",
    created_at: now,
    run_at: now,
    max_attempts: 2,
    deadline_seconds: 60,
    joins: false,
    trace: null,
    ...overrides
  }, null)
  return yield* claim(id)
})

const claim = Effect.fnUntraced(function*(queue: string) {
  const jobs = yield* JobStore
  return Option.getOrThrow(yield* jobs.claim([queue], LEASE, new Date(yield* Clock.currentTimeMillis)))
})

const read = Effect.fnUntraced(function*({ job }: Claim) {
  const jobs = yield* JobStore
  return Option.getOrThrow(yield* jobs.find(job.workspace_id, job.queue, job.job_id))
})

const status = (job: Job) => [job.status, job.attempt, job.error?.error_code ?? null]

const DOWN = new StorageUnavailable({ cause: "down" })

const fails: Handler<never> = () => Effect.fail(DOWN)

layer(Memory.layer)("an attempt at a job", (it) => {
  it.effect("stores the result", () =>
    Effect.gen(function*() {
      const attempt = yield* claimed()
      yield* runJob(attempt, () => Effect.succeed("\"done\""))
      const job = yield* read(attempt)
      assert.deepStrictEqual([job.status, job.result], ["succeeded", "\"done\""])
    }))

  it.effect("is repeated after an error, with exponential backoff, until it has no attempts left", () =>
    Effect.gen(function*() {
      const breaks: Handler<never> = () => Effect.die(new Error("broken"))
      const first = yield* claimed()
      yield* runJob(first, breaks)
      const waiting = yield* read(first)
      assert.deepStrictEqual(status(waiting), ["queued", 1, "internal_server_error"])
      assert.strictEqual(waiting.run_at.getTime() - (yield* Clock.currentTimeMillis), 1_000)
      yield* TestClock.adjust("1 second")
      yield* runJob(yield* claim(first.job.queue), breaks)
      assert.deepStrictEqual(status(yield* read(first)), ["failed", 2, "internal_server_error"])
    }))

  it.effect("is repeated while the storage is unavailable, until its deadline, however few attempts it has", () =>
    Effect.gen(function*() {
      const first = yield* claimed({ deadline_seconds: 60 })
      yield* runJob(first, fails)
      for (const [attempt, pause] of [[2, 1], [3, 2], [4, 4], [5, 8], [6, 16]] as const) {
        yield* TestClock.adjust(`${pause} seconds`)
        yield* runJob(yield* claim(first.job.queue), fails)
        assert.deepStrictEqual(status(yield* read(first)), ["queued", attempt, "service_unavailable"])
      }
      yield* TestClock.adjust("32 seconds")
      yield* runJob(yield* claim(first.job.queue), fails)
      assert.deepStrictEqual(status(yield* read(first)), ["failed", 7, "service_unavailable"])
    }))

  it.effect("is counted by queue and outcome, with its waiting and running time", () =>
    Effect.gen(function*() {
      const first = yield* claimed()
      yield* runJob(first, () => Effect.andThen(Effect.sleep("3 seconds"), Effect.fail(DOWN))).pipe(
        Effect.forkChild({ startImmediately: true }),
        Effect.tap(() => TestClock.adjust("3 seconds")),
        Effect.flatMap(Fiber.join)
      )
      yield* TestClock.adjust("5 seconds")
      yield* runJob(yield* claim(first.job.queue), () => Effect.succeed(null))
      const counted = (yield* Metric.snapshot).flatMap(({ attributes, id, state, type }) =>
        type === "Histogram" && attributes?.["queue"] === first.job.queue
          ? [[id, attributes["outcome"], state.count, state.sum]]
          : []
      )
      assert.sameDeepMembers(counted, [
        // The second attempt was due one second after the first.
        ["tributary_job_wait_seconds", undefined, 2, 4],
        ["tributary_job_duration_seconds", "retry", 1, 3],
        ["tributary_job_duration_seconds", "succeeded", 1, 0]
      ])
    }))

  it.effect("reveals nothing of a bug", () =>
    Effect.gen(function*() {
      const attempt = yield* claimed({ max_attempts: 1 })
      yield* runJob(attempt, () => Effect.die(new Error("secret")))
      const { error } = yield* read(attempt)
      assert.deepStrictEqual(error, {
        error_code: "internal_server_error",
        message: "An unexpected error occurred."
      })
    }))

  it.effect("ends at its deadline and is not repeated", () =>
    Effect.gen(function*() {
      const attempt = yield* claimed({ deadline_seconds: 45 })
      const running = yield* Effect.forkChild(runJob(attempt, () => Effect.never), { startImmediately: true })
      yield* TestClock.adjust("44 seconds")
      assert.deepStrictEqual(status(yield* read(attempt)), ["running", 1, null])
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(running)
      assert.deepStrictEqual(status(yield* read(attempt)), ["failed", 1, "deadline_exceeded"])
    }))

  it.effect("is repeated after its deadline if it runs until it is done", () =>
    Effect.gen(function*() {
      const attempt = yield* claimed({ deadline_seconds: 45, max_attempts: UNTIL_DONE })
      const running = yield* Effect.forkChild(runJob(attempt, () => Effect.never), { startImmediately: true })
      yield* TestClock.adjust("45 seconds")
      yield* Fiber.join(running)
      assert.deepStrictEqual(status(yield* read(attempt)), ["queued", 1, "deadline_exceeded"])
    }))

  it.effect("keeps its lease while it runs", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const attempt = yield* claimed({ deadline_seconds: 3_600 })
      const running = yield* Effect.forkChild(runJob(attempt, () => Effect.never), { startImmediately: true })
      yield* TestClock.adjust("10 minutes")
      assert.isEmpty(yield* jobs.reap(new Date(yield* Clock.currentTimeMillis)))
      assert.deepStrictEqual(status(yield* read(attempt)), ["running", 1, null])
      yield* Fiber.interrupt(running)
    }))

  it.effect("stops within a third of the lease when the job is cancelled, and keeps it cancelled", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const attempt = yield* claimed()
      const stopped = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        runJob(attempt, () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))),
        { startImmediately: true }
      )
      const { job } = attempt
      yield* jobs.cancel(job.workspace_id, job.queue, job.job_id, new Date(yield* Clock.currentTimeMillis))
      yield* TestClock.adjust("10 seconds")
      yield* Deferred.await(stopped)
      yield* Fiber.await(running)
      assert.deepStrictEqual(status(yield* read(attempt)), ["cancelled", 1, null])
    }))

  it.effect("releases the attempt when its worker shuts down", () =>
    Effect.gen(function*() {
      const attempt = yield* claimed()
      const running = yield* Effect.forkChild(runJob(attempt, () => Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(status(yield* read(attempt)), ["queued", 0, null])
    }))

  it.effect("does not overwrite the result of the worker that took over the job", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const slow = yield* claimed()
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual((yield* jobs.reap(new Date(yield* Clock.currentTimeMillis))).length, 1)
      yield* TestClock.adjust("1 second")
      const other = yield* claim(slow.job.queue)
      yield* runJob(slow, () => Effect.succeed("\"late\""))
      assert.deepStrictEqual(status(yield* read(slow)), ["running", 2, "lease_lost"])
      yield* runJob(other, () => Effect.succeed("\"right\""))
      assert.strictEqual((yield* read(slow)).result, "\"right\"")
    }))

  it.effect("ends when it reports progress on a job that it has lost", () =>
    Effect.gen(function*() {
      const jobs = yield* JobStore
      const attempt = yield* claimed()
      const { job } = attempt
      yield* jobs.cancel(job.workspace_id, job.queue, job.job_id, new Date(yield* Clock.currentTimeMillis))
      let went = false
      yield* runJob(attempt, ({ report }) => Effect.andThen(report(1, 2), Effect.sync(() => (went = true, null))))
      assert.isFalse(went)
    }))

  it.effect("is in the trace in which its job was queued, wherever it runs, if that is sampled", () =>
    Effect.gen(function*() {
      const spans: Array<Tracer.Span> = []
      const span: Tracer.Tracer["span"] = (options) => {
        const made = new Tracer.NativeSpan(options)
        spans.push(made)
        return made
      }
      const collected = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provideService(effect, Tracer.Tracer, Tracer.make({ span }))
      const trace = yield* collected(Effect.withSpan(Effect.sync(currentTrace), "PATCH /settings", { kind: "server" }))
      const attempt = yield* claimed({ trace })
      yield* collected(runJob(attempt, () => Effect.withSpan(Effect.succeed(null), "rebuild")))
      const [patch, job, rebuild] = spans
      assert.deepStrictEqual([job!.name, rebuild!.name], [`job ${attempt.job.queue}`, "rebuild"])
      for (const { traceId } of spans) assert.strictEqual(traceId, patch!.traceId)
      assert.strictEqual(Option.getOrThrow(job!.parent).spanId, patch!.spanId)
      assert.deepStrictEqual(job!.links.map((link) => link.span.spanId), [patch!.spanId])

      const sampling = { begins: () => false, tracer: Tracer.make({ span }) }
      const step = runJob(yield* claimed({ trace }), () => Effect.withSpan(Effect.succeed(null), "step"))
      yield* Effect.provideService(step, TraceSampling, sampling)
      assert.strictEqual(spans.length, 5)

      const unsent = yield* claimed({ trace: trace!.replace(/01$/, "00") })
      yield* collected(runJob(unsent, () => Effect.withSpan(Effect.succeed(null), "rebuild")))
      assert.strictEqual(spans.length, 5)
      assert.isNull(currentTrace())
    }))
})
