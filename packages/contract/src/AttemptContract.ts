/** The contract of what an attempt at a job writes: nothing, once it has lost its lease. */
import { assert } from "@effect/vitest"
import type { DeliveryStatus } from "@tributary/core/model/Webhook"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { type FencingToken, JobStore } from "@tributary/core/ports/JobStore"
import { retryPause } from "@tributary/core/ports/retryPause"
import { Duration, Effect, Option } from "effect"
import { addStates, connected, newState } from "./internal/connections.ts"
import { freshWorkspace, item, moment, newJob, newQueue, newUuid, UNCAPPED } from "./internal/fixtures.ts"
import { type Kit, type PeopleKit, StoreClock } from "./internal/Kit.ts"
import { ATTEMPT, hooked, newMessage } from "./internal/webhooks.ts"

const LEASE = Duration.minutes(10)

/** A sync of a connection that has one document, and all that an attempt at it may write. */
const begun = Effect.gen(function*() {
  const { admit, connection, id, inbox, origin, store, workspaceId } = yield* connected
  const [clock, documents, jobs] = [yield* StoreClock, yield* DocumentStore, yield* JobStore]
  const queue = newQueue()
  const job = newJob(workspaceId, queue)
  yield* jobs.enqueue(job, null)
  yield* addStates(workspaceId, [newState(connection, { job_id: job.job_id, cursor: null })])
  yield* admit("INBOX/kept")
  const of = { connection_id: id, resource: "INBOX" }
  const follow = () => newJob(workspaceId, newQueue())
  const claim = (now = moment(50)) =>
    Effect.map(jobs.claim([queue], LEASE, now), (claimed): FencingToken => ({
      job_id: job.job_id,
      lease: Option.getOrThrow(claimed).lease
    }))
  const mark = (fencingToken?: FencingToken) =>
    store.noteDeletions(workspaceId, of, { gone: ["INBOX/kept"], there: [] }, fencingToken)
  const unmark = (fencingToken?: FencingToken) =>
    store.noteDeletions(workspaceId, of, { gone: [], there: ["INBOX/kept"] }, fencingToken)
  const take = (fencingToken: FencingToken, text = "new") =>
    documents.admit(workspaceId, origin, [item("INBOX/new", text)], {
      caps: UNCAPPED,
      now: moment(),
      follow: follow(),
      fencingToken
    })
  const save = (cursor: string, fencingToken: FencingToken) =>
    store.saveState(workspaceId, newState(connection, { job_id: job.job_id, cursor }), job.job_id, null, fencingToken)
  const remove = (fencingToken: FencingToken) => {
    const selection = { connector_id: origin.connector_id, resource: "INBOX", gone: ["INBOX/kept"] }
    return documents.remove(workspaceId, selection, moment(), follow(), fencingToken)
  }
  const stored = Effect.gen(function*() {
    const { documents: number } = yield* documents.meters(workspaceId)
    const { cursor } = yield* inbox
    return { documents: number, cursor, marked: yield* store.countDeletions(workspaceId, of) }
  })
  return { claim, clock, job, jobs, mark, remove, save, stored, take, unmark }
})

export const attemptContract = (it: Kit): void => {
  it.effect("stores what an attempt writes while it holds its lease", () =>
    Effect.gen(function*() {
      const { claim, mark, remove, save, stored, take, unmark } = yield* begun
      const fencingToken = yield* claim()
      assert.strictEqual((yield* take(fencingToken))?.length, 1)
      assert.isTrue(yield* save("2", fencingToken))
      yield* mark(fencingToken)
      assert.deepStrictEqual(yield* stored, { documents: 2, cursor: "2", marked: 1 })
      yield* unmark(fencingToken)
      assert.deepStrictEqual(yield* stored, { documents: 2, cursor: "2", marked: 0 })
      yield* mark(fencingToken)
      assert.strictEqual((yield* remove(fencingToken)).length, 1)
      assert.deepStrictEqual(yield* stored, { documents: 1, cursor: "2", marked: 0 })
    }))

  it.effect("stores nothing of an attempt that has lost its lease, even while its successor runs", () =>
    Effect.gen(function*() {
      const { claim, clock, job, jobs, mark, remove, save, stored, take, unmark } = yield* begun
      const stopped = yield* claim()
      yield* mark()
      const before = yield* stored
      const nothingFrom = Effect.fnUntraced(function*(fencingToken: FencingToken) {
        assert.isNull(yield* take(fencingToken, "stale"))
        // A text that is sent as bytes.
        assert.isNull(yield* take(fencingToken, "stale ".repeat(200_000)))
        assert.isFalse(yield* save("stale", fencingToken))
        assert.isEmpty(yield* remove(fencingToken))
        yield* unmark(fencingToken)
        assert.deepStrictEqual(yield* stored, before)
        yield* unmark()
        yield* mark(fencingToken)
        assert.deepStrictEqual(yield* stored, { ...before, marked: 0 })
        yield* mark()
      })
      yield* nothingFrom({ ...stopped, lease: newUuid() })
      yield* clock.advance(LEASE)
      yield* nothingFrom(stopped)
      yield* jobs.reap(moment(60))
      yield* nothingFrom(stopped)
      const successor = yield* claim(moment(60 + retryPause(1)))
      yield* nothingFrom(stopped)
      assert.isTrue(yield* save("newer", successor))
      yield* jobs.finish(job.job_id, successor.lease, { _tag: "Succeeded", result: null }, moment(70))
      assert.isFalse(yield* save("stale", successor))
      assert.deepStrictEqual(yield* stored, { ...before, cursor: "newer" })
    }))
}

/** A webhook with one pending delivery, and the attempt that serves it. */
const serving = Effect.gen(function*() {
  const [clock, jobs, workspaceId] = [yield* StoreClock, yield* JobStore, yield* freshWorkspace]
  const { append, id, store } = yield* hooked(workspaceId)
  yield* append(newMessage("a"))
  const queue = newQueue()
  const job = newJob(workspaceId, queue)
  yield* jobs.enqueue(job, null)
  const claim = (now = moment(50)) =>
    Effect.map(jobs.claim([queue], LEASE, now), (claimed): FencingToken => ({
      job_id: job.job_id,
      lease: Option.getOrThrow(claimed).lease
    }))
  const record = (status: DeliveryStatus, fencingToken?: FencingToken) =>
    store.record(workspaceId, id, 1, {
      status,
      next_attempt_at: status === "pending" ? moment(60) : null,
      last_attempt: ATTEMPT
    }, fencingToken)
  const pause = (fencingToken: FencingToken) => store.update(workspaceId, id, { failures: 7 }, "active", fencingToken)
  const stored = Effect.all([
    store.deliveries(workspaceId, id, { status: null, after: null, limit: 9 }),
    store.find(workspaceId, id)
  ])
  return { claim, clock, jobs, pause, record, stored }
})

export const deliveryAttemptContract = (it: PeopleKit): void => {
  it.effect("records a delivery, and how its receiver does, only while the attempt holds its lease", () =>
    Effect.gen(function*() {
      const { claim, clock, jobs, pause, record, stored } = yield* serving
      const stopped = yield* claim()
      assert.isTrue(yield* record("pending", stopped))
      assert.isTrue(Option.isSome(yield* pause(stopped)))
      yield* clock.advance(LEASE)
      yield* jobs.reap(moment(60))
      const successor = yield* claim(moment(60 + retryPause(1)))
      assert.isTrue(yield* record("succeeded", successor))
      const before = yield* stored
      assert.deepInclude(before[0][0], { status: "succeeded", attempts: 2 })
      assert.isFalse(yield* record("pending", stopped))
      assert.isTrue(Option.isNone(yield* pause(stopped)))
      assert.deepStrictEqual(yield* stored, before)
    }))
}
