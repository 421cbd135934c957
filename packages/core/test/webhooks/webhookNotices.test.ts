/** Webhook events other than changes of documents: questions, builds, syncs, approaching limits. */
import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@tributary/memory/Memory"
import { Clock, Duration, Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ASK_QUEUE, askJob } from "../../src/ask/askJobs.ts"
import { Asks } from "../../src/ask/Asks.ts"
import { LEASE } from "../../src/jobs/runJob.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { DAY } from "../../src/model/Day.ts"
import { ApiKeys } from "../../src/people/ApiKeys.ts"
import { Answerer } from "../../src/ports/Answerer.ts"
import { RetryableFailure } from "../../src/ports/Provider.ts"
import type { Stored } from "../../src/ports/Storage.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { connect, leap, settle } from "../support/connecting.ts"
import { hooked, newReceiver, node, received, withReceiver } from "../support/receiver.ts"
import { fill, tinySource } from "../support/tinySource.ts"

describe("a webhook gets an event", () => {
  it.effect(
    "when a question has ended and can be read",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put } = yield* hooked(["ask.succeeded", "ask.failed"])
      yield* put("a", "The heron nests behind the mill.")
      const asks = yield* Asks
      const { job_id } = yield* asks.askLater(id, { query: "Where does the heron nest?" })
      yield* received(receiver, 1)
      yield* settle(5)
      assert.strictEqual(receiver.got.length, 1)
      const [{ body, event }] = receiver.got as [typeof receiver.got[0]]
      const job = yield* asks.job(id, job_id, Duration.zero)
      assert.strictEqual(event.type, "ask.succeeded")
      assert.deepStrictEqual(event.data, {
        workspace_id: id,
        job_id,
        status: "succeeded",
        attempt: 1,
        created_at: job.created_at.toISOString(),
        finished_at: job.finished_at!.toISOString(),
        error: null
      })
      assert.notInclude(body, "heron")
    }))
  )

  it.effect(
    "of a question that was answered at last, without the error of an earlier attempt",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id } = yield* hooked(["ask.succeeded", "ask.failed"])
      const jobs = yield* JobStore
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* jobs.enqueue(askJob(id, { query: "Where does the heron nest?" }, OPERATOR, null, now.getTime()), null)
      const { job, lease } = Option.getOrThrow(yield* jobs.claim([ASK_QUEUE], LEASE, now))
      const error = { error_code: "service_unavailable", message: "Away." }
      yield* jobs.finish(job.job_id, lease, { _tag: "Retry", error, at: now }, now)
      yield* received(receiver, 1)
      assert.deepInclude(receiver.got[0]!.event.data, { status: "succeeded", attempt: 2, error: null })
    }))
  )

  it.effect(
    "when a question failed because its last attempt ended with its server",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id } = yield* hooked(["ask.failed"])
      const jobs = yield* JobStore
      const now = yield* Clock.currentTimeMillis
      const job = { ...askJob(id, { query: "Where does the heron nest?" }, OPERATOR, null, now), max_attempts: 1 }
      yield* jobs.enqueue(job, null)
      // By a server that has died.
      yield* jobs.claim([ASK_QUEUE], LEASE, new Date(now))
      yield* TestClock.adjust(LEASE)
      yield* received(receiver, 1)
      const [{ event }] = receiver.got as [typeof receiver.got[0]]
      assert.strictEqual(event.type, "ask.failed")
      assert.deepInclude(event.data, { job_id: job.job_id, status: "failed", attempt: 1 })
      assert.deepInclude(event.data["error"], { error_code: "lease_lost" })
    }))
  )

  it.effect("also when the server that notices the end of that one ends before it says so", () =>
    Effect.gen(function*() {
      const receiver = newReceiver()
      const jobs = yield* JobStore
      const gone = Effect.fail(new StorageUnavailable({ cause: "its server has ended" }))
      let isDead = false
      const dying = Object.fromEntries(
        Object.entries(jobs).map(([name, act]) => {
          const alive = act as (...args: ReadonlyArray<unknown>) => Stored<unknown>
          return [
            name,
            Effect.isEffect(act)
              ? act
              : (...args: ReadonlyArray<unknown>) => Effect.suspend(() => isDead ? gone : alive(...args))
          ]
        })
      ) as typeof jobs
      const hanging = Layer.succeed(Answerer, { answer: () => Stream.never })
      const first = yield* Layer.build(
        Layer.provide(node(receiver, [], hanging), Layer.succeed(JobStore, JobStore.of(dying)))
      )
      const { id } = yield* Effect.provideContext(hooked(["ask.failed"]), first)
      const now = yield* Clock.currentTimeMillis
      const job = { ...askJob(id, { query: "Where does the heron nest?" }, OPERATOR, null, now), max_attempts: 1 }
      yield* jobs.enqueue(job, null)
      yield* settle(5)
      isDead = true
      const reap = (at: Date) => Effect.as(jobs.reap(at), [])
      yield* Layer.build(
        Layer.provide(node(receiver), Layer.succeed(JobStore, JobStore.of({ ...jobs, reap })))
      )
      yield* settle(60)
      assert.isTrue(Option.exists(yield* jobs.find(id, ASK_QUEUE, job.job_id), ({ status }) => status === "failed"))
      assert.strictEqual(receiver.got.length, 0)
      yield* TestClock.adjust(Duration.seconds(job.deadline_seconds))
      yield* received(receiver, 1)
      const [{ event }] = receiver.got as [typeof receiver.got[0]]
      assert.strictEqual(event.type, "ask.failed")
      assert.deepInclude(event.data, { job_id: job.job_id, status: "failed", attempt: 1 })
    }).pipe(Effect.provide(Layer.fresh(Memory.layer))))

  it.effect(
    "once when a question is cancelled before an attempt",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id } = yield* hooked(["ask.cancelled"])
      const jobs = yield* JobStore
      const now = yield* Clock.currentTimeMillis
      // Not due yet.
      const job = askJob(id, { query: "Where does the heron nest?" }, OPERATOR, null, now)
      yield* jobs.enqueue({ ...job, run_at: new Date(now + 3_600_000) }, null)
      const asks = yield* Asks
      yield* asks.cancel(id, job.job_id)
      yield* received(receiver, 1)
      yield* asks.cancel(id, job.job_id)
      yield* settle(20)
      assert.strictEqual(receiver.got.length, 1)
      const [{ event }] = receiver.got as [typeof receiver.got[0]]
      assert.strictEqual(event.type, "ask.cancelled")
      assert.deepInclude(event.data, { job_id: job.job_id, status: "cancelled", attempt: 0, error: null })
    }))
  )

  it.effect(
    "when the context was rebuilt, but not when it was refreshed, or while the webhook was switched off",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put, webhook: { webhook_id }, webhooks, workspace } = yield* hooked(["context.rebuilt"])
      yield* put("a", "one")
      yield* settle(20)
      assert.strictEqual(receiver.got.length, 0)
      const knowledge = yield* KnowledgeContext
      const rebuild = knowledge.configure(
        workspace,
        { temporal_settings: { start: { type: "relative", days: 30 }, end: null } },
        OPERATOR
      )
      yield* rebuild
      yield* received(receiver, 1)
      yield* settle(5)
      const { latest_snapshot } = yield* knowledge.status(id)
      yield* webhooks.update(workspace, webhook_id, { status: "disabled" }, OPERATOR)
      yield* rebuild
      yield* settle(5)
      yield* webhooks.update(workspace, webhook_id, { status: "active" }, OPERATOR)
      yield* settle(5)
      assert.deepStrictEqual(receiver.got.map(({ event }) => [event.type, event.data["snapshot_id"]]), [
        ["context.rebuilt", latest_snapshot]
      ])
    }))
  )

  it.effect(
    "when usage approaches its limit and when it exceeds it, once each until it drops",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put } = yield* hooked(["usage.approaching", "usage.exceeded"], { documents: 10 })
      for (let at = 0; at < 7; at++) yield* put(`${at}`, "one")
      yield* settle(5)
      assert.strictEqual(receiver.got.length, 0)
      yield* put("7", "one")
      yield* put("8", "one")
      yield* received(receiver, 1)
      yield* put("9", "one")
      yield* settle(5)
      const workspaces = yield* Workspaces
      const notices = () =>
        receiver.got.map(({ event: { data, type } }) => [type, data["resource"], data["used"], data["limit"]])
      const approaching = ["usage.approaching", "documents", 9, 10]
      assert.deepStrictEqual(notices(), [approaching])
      // A plan that is lowered changes no document: it is seen within the hour.
      yield* workspaces.update(id, { limits: { documents: 5 } })
      yield* leap("61 minutes")
      yield* settle(5)
      const exceeded = ["usage.exceeded", "documents", 10, 5]
      assert.deepStrictEqual(notices(), [approaching, exceeded])
      for (const documents of [11, 5]) {
        yield* workspaces.update(id, { limits: { documents } })
        yield* leap("61 minutes")
        yield* settle(5)
      }
      assert.deepStrictEqual(notices(), [approaching, exceeded, exceeded])
    }))
  )

  it.effect(
    "a week and a day before a key expires, except for short-lived, revoked and permanent ones",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id } = yield* hooked(["api_key.expiring"])
      const keys = yield* ApiKeys
      const create = (name: string, after: number | null) =>
        keys.create(id, {
          name,
          scopes: ["api:read"],
          expires_at: after === null ? null : new Date(after)
        }, OPERATOR)
      yield* create("for ever", null)
      yield* create("short", DAY / 2)
      const { key_id } = yield* create("revoked", 7 * DAY + 7_200_000)
      yield* keys.revoke(key_id, id, OPERATOR)
      const week = yield* create("a week", 7 * DAY + 7_200_000)
      const day = yield* create("a day", DAY + 7_200_000)
      yield* leap("4 hours")
      yield* settle(5)
      assert.deepStrictEqual(
        receiver.got.map(({ event: { data, type } }) => [type, data["name"], data["key_id"], data["days"]]).sort(),
        [["api_key.expiring", "a day", day.key_id, 1], ["api_key.expiring", "a week", week.key_id, 7]]
      )
    }))
  )

  it.effect(
    "only of the last day of a key, if its webhook was switched off before",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { webhook: { webhook_id }, webhooks, workspace } = yield* hooked(["api_key.expiring"])
      const keys = yield* ApiKeys
      yield* webhooks.update(workspace, webhook_id, { status: "disabled" }, OPERATOR)
      const wanted = { name: "CI", scopes: ["api:read"], expires_at: new Date(8 * DAY) } as const
      yield* keys.create(workspace.workspace_id, wanted, OPERATOR)
      yield* leap("180 hours")
      yield* webhooks.update(workspace, webhook_id, { status: "active" }, OPERATOR)
      yield* received(receiver, 1)
      yield* settle(5)
      assert.deepStrictEqual(receiver.got.map(({ event: { data } }) => data["days"]), [1])
    }))
  )

  const source = tinySource()
  it.effect(
    "when a sync failed, and when one holds deletions",
    withReceiver(
      Effect.fnUntraced(function*(receiver) {
        fill(source, 100)
        const { id, workspace } = yield* hooked(["sync.failed", "sync.held"])
        const { connection_id } = yield* connect(workspace)
        yield* settle(20)
        assert.strictEqual(receiver.got.length, 0)
        for (const name of [...source.resources.get("notes")!.keys()].slice(0, 60)) {
          source.resources.get("notes")!.delete(name)
        }
        yield* leap("70 minutes")
        yield* received(receiver, 1)
        // Nothing more is gone at the next sync, and one document at the sync after it.
        yield* leap("70 minutes")
        source.resources.get("notes")!.delete("00060")
        yield* leap("70 minutes")
        yield* received(receiver, 2)
        source.faults.set("00099", Effect.fail(new RetryableFailure({ message: "The source is away." })))
        yield* leap("70 minutes")
        yield* received(receiver, 3)
        const of = { workspace_id: id, connection_id, provider: "tiny", name: "Notes", resource: "notes" }
        assert.deepStrictEqual(receiver.got.slice(0, 3).map(({ event: { data, type } }) => ({ type, data })), [
          { type: "sync.held", data: { ...of, deletions_held: 60 } },
          { type: "sync.held", data: { ...of, deletions_held: 61 } },
          { type: "sync.failed", data: { ...of, attempt: 1, error: "The source is away." } }
        ])
      }),
      [source.provider]
    )
  )
})
