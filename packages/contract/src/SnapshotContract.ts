/** The contract of `KnowledgeStore` for publishing, keeping and deleting snapshots. */
import { assert } from "@effect/vitest"
import { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import { JobStore } from "@tributary/core/ports/JobStore"
import type { Snapshot } from "@tributary/core/ports/KnowledgeStore"
import { HeadPlace, RequestHead } from "@tributary/core/ports/RequestHead"
import { retryPause } from "@tributary/core/ports/retryPause"
import { Duration, Effect, Option } from "effect"
import {
  fiftyTimes,
  freshWorkspace,
  item,
  moment,
  newHash,
  newJob,
  newKey,
  newQueue,
  newUuid
} from "./internal/fixtures.ts"
import { type Kit, StoreClock } from "./internal/Kit.ts"
import { snapshotOf, storedSegments } from "./internal/storedSegments.ts"

const LEASE = Duration.minutes(10)

export const snapshotContract = (it: Kit): void => {
  it.effect("returns a published snapshot as it was built", () =>
    Effect.gen(function*() {
      const { head, publish } = yield* storedSegments
      const snapshot = snapshotOf([], {
        settings: { temporal_settings: { start: null, end: { type: "date", date: "9999-12-31" } } },
        chunk_seq: 7,
        built_at: moment(1),
        watermark: new Date("9999-12-31T23:59:59.999Z"),
        segments: [
          {
            segment_id: "b",
            chunks: 65_536,
            bytes: 5_000_000_000,
            masked: [0, 7, 4_000_000_000],
            span: { from: -1, to: 1 }
          },
          { segment_id: "a", chunks: 0, bytes: 0, masked: [] },
          {
            segment_id: "c",
            chunks: 65_000,
            bytes: 5_000_000_000,
            masked: [],
            vectors: { segment_id: "b", model: "Größe \"1\"", dimensions: 3_072, missing: 536 }
          }
        ]
      })
      assert.isTrue(yield* publish(snapshot))
      assert.deepStrictEqual((yield* head).snapshot, snapshot)
    }))

  it.effect("shows the segments of the last published snapshot, however often the head was read before", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeyStore
      const { head, publish, workspaceId } = yield* storedSegments
      const hash = newHash()
      yield* keys.insert(workspaceId, newKey(), hash)
      const requestHead = Effect.andThen(keys.authenticate(hash, moment()), head).pipe(
        Effect.provideServiceEffect(RequestHead, Effect.sync(() => new HeadPlace()))
      )
      const snapshots = [["a", "b", "c"], ["a", "b"], ["a"]].map((segments) => snapshotOf(segments))
      let previous: Snapshot["snapshot_id"] | null = null
      for (const snapshot of snapshots) {
        yield* publish(snapshot, { previous })
        previous = snapshot.snapshot_id
        for (const read of [head, head, requestHead, requestHead]) {
          assert.deepStrictEqual((yield* read).snapshot, snapshot)
        }
      }
    }))

  it.effect("counts documents that changed after the snapshot, each once", () =>
    Effect.gen(function*() {
      const { admit, knowledge, publish, remove, workspaceId } = yield* storedSegments
      yield* admit([item("a", "a"), item("b", "b"), item("c", "c")])
      yield* publish(snapshotOf([], { change_seq: 2 }))
      assert.strictEqual(yield* knowledge.countPending(workspaceId, 2), 1)
      yield* admit([item("b", "changed")])
      yield* admit([item("b", "again")])
      yield* remove(["a"])
      assert.strictEqual(yield* knowledge.countPending(workspaceId, 2), 3)
    }))

  it.effect("publishes nothing if the renewed snapshot is not the published one any more", () =>
    Effect.gen(function*() {
      const { head, publish, stored } = yield* storedSegments
      const [first, second] = [snapshotOf(["a"]), snapshotOf(["a"])]
      assert.isFalse(yield* publish(second, { previous: first.snapshot_id }))
      assert.isNull((yield* head).snapshot)
      assert.strictEqual(yield* stored, "abc")
      yield* publish(first)
      const before = [yield* head, yield* stored]
      assert.isFalse(yield* publish(second))
      assert.isFalse(yield* publish(second, { previous: second.snapshot_id }))
      assert.deepStrictEqual([yield* head, yield* stored], before)
    }))

  it.effect("publishes nothing that was built with older settings", () =>
    Effect.gen(function*() {
      const { head, knowledge, publish, stored, workspaceId } = yield* storedSegments
      yield* knowledge.configure(workspaceId, null, newJob(workspaceId, newQueue()))
      assert.isFalse(yield* publish(snapshotOf(["a"], { generation: 0 })))
      assert.isFalse(yield* publish(snapshotOf(["a"], { generation: 2 })))
      assert.isNull((yield* head).snapshot)
      assert.strictEqual(yield* stored, "abc")
      assert.isTrue(yield* publish(snapshotOf(["a"], { generation: 1 })))
    }))

  it.effect("publishes for a job only while it holds the lease", () =>
    Effect.gen(function*() {
      const { head, publish, stored, workspaceId } = yield* storedSegments
      const jobs = yield* JobStore
      const clock = yield* StoreClock
      const queue = newQueue()
      const job = newJob(workspaceId, queue)
      yield* jobs.enqueue(job, null)
      const claim = (now: Date) => Effect.map(jobs.claim([queue], LEASE, now), Option.getOrThrow)
      const fencingToken = { job_id: job.job_id, lease: (yield* claim(moment(50))).lease }
      const first = snapshotOf(["a"])
      assert.isFalse(yield* publish(first, { fencingToken: { ...fencingToken, lease: newUuid() } }))
      assert.isFalse(
        yield* publish(first, { fencingToken: { ...fencingToken, job_id: newJob(workspaceId, queue).job_id } })
      )
      yield* clock.advance(LEASE)
      assert.isFalse(yield* publish(first, { fencingToken }))
      yield* jobs.reap(moment(60))
      const again = { ...fencingToken, lease: (yield* claim(moment(60 + retryPause(1)))).lease }
      assert.isFalse(yield* publish(first, { fencingToken }))
      assert.isNull((yield* head).snapshot)
      assert.strictEqual(yield* stored, "abc")
      assert.isTrue(yield* publish(first, { fencingToken: again }))
      yield* jobs.finish(job.job_id, again.lease, { _tag: "Succeeded", result: null }, moment(70))
      assert.isFalse(yield* publish(snapshotOf(["b"]), { previous: first.snapshot_id, fencingToken: again }))
    }))

  it.effect("never publishes fewer changes, but possibly the same", () =>
    Effect.gen(function*() {
      const { admit, head, publish } = yield* storedSegments
      yield* admit([item("a", "a"), item("b", "b")])
      const first = snapshotOf(["a"], { change_seq: 2 })
      const second = snapshotOf(["a"], { change_seq: 1 })
      yield* publish(first)
      assert.isFalse(yield* publish(second, { previous: first.snapshot_id }))
      assert.strictEqual((yield* head).snapshot?.snapshot_id, first.snapshot_id)
      assert.isTrue(yield* publish({ ...second, change_seq: 2 }, { previous: first.snapshot_id }))
    }))

  it.effect("publishes nothing that names a missing segment", () =>
    Effect.gen(function*() {
      const { head, publish, stored } = yield* storedSegments
      assert.isFalse(yield* publish(snapshotOf(["a", "absent"])))
      assert.isNull((yield* head).snapshot)
      assert.strictEqual(yield* stored, "abc")
    }))

  it.effect("keeps the given number of rebuilds, with their segments", () =>
    Effect.gen(function*() {
      const { knowledge, publish, stored, workspaceId } = yield* storedSegments
      const [first, second, third] = [snapshotOf(["a", "b"]), snapshotOf(["b"]), snapshotOf(["c"])]
      yield* publish(first)
      assert.strictEqual(yield* stored, "ab")
      yield* knowledge.putSegment(workspaceId, "c", new Uint8Array([1]))
      yield* publish(second, { previous: first.snapshot_id, keep: 2 })
      assert.strictEqual(yield* stored, "ab")
      yield* knowledge.putSegment(workspaceId, "c", new Uint8Array([1]))
      yield* publish(third, { previous: second.snapshot_id, keep: 2 })
      assert.strictEqual(yield* stored, "bc")
      assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 1)
    }))

  it.effect("keeps only the published snapshot if the number is one", () =>
    Effect.gen(function*() {
      const { knowledge, publish, stored, workspaceId } = yield* storedSegments
      const [first, second] = [snapshotOf(["a", "c"]), snapshotOf(["c"])]
      yield* publish(first)
      yield* publish(second, { previous: first.snapshot_id, keep: 1 })
      assert.strictEqual(yield* stored, "c")
      assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 0)
    }))

  it.effect("replaces a snapshot with the refresh that renews it", () =>
    Effect.gen(function*() {
      const { head, knowledge, publish, stored, workspaceId } = yield* storedSegments
      const [first, second, renewed] = [snapshotOf(["a", "b", "c"]), snapshotOf(["b", "c"]), snapshotOf(["c"])]
      yield* publish(first)
      yield* publish(second, { previous: first.snapshot_id })
      yield* publish(renewed, { previous: second.snapshot_id, replaces: true, keep: 2 })
      assert.strictEqual((yield* head).snapshot?.snapshot_id, renewed.snapshot_id)
      assert.strictEqual(yield* stored, "abc")
      assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 1)
      assert.strictEqual(yield* stored, "c")
    }))

  it.effect("accepts a refresh as the first snapshot", () =>
    Effect.gen(function*() {
      const { head, publish } = yield* storedSegments
      const first = snapshotOf(["a"])
      assert.isTrue(yield* publish(first, { replaces: true }))
      assert.deepStrictEqual((yield* head).snapshot, first)
    }))

  it.effect("deletes old snapshots with their own segments, but not those of a running build", () =>
    Effect.gen(function*() {
      const { head, knowledge, publish, stored, workspaceId } = yield* storedSegments
      const [first, second] = [snapshotOf(["a", "b"]), snapshotOf(["b"])]
      yield* publish(first)
      yield* publish(second, { previous: first.snapshot_id })
      yield* knowledge.putSegment(workspaceId, "c", new Uint8Array([1]))
      assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 1)
      assert.strictEqual(yield* stored, "bc")
      assert.strictEqual((yield* head).snapshot?.snapshot_id, second.snapshot_id)
      assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 0)
      assert.strictEqual(yield* knowledge.dropOldSnapshots(yield* freshWorkspace), 0)
    }))

  it.effect("does not delete a segment that a snapshot names", () =>
    Effect.gen(function*() {
      const { knowledge, publish, stored, workspaceId } = yield* storedSegments
      const [first, second] = [snapshotOf(["a"]), snapshotOf(["a", "b"])]
      yield* publish(first)
      for (const segmentId of ["b", "c"]) yield* knowledge.putSegment(workspaceId, segmentId, new Uint8Array([1]))
      yield* publish(second, { previous: first.snapshot_id, replaces: true })
      yield* knowledge.putSegment(workspaceId, "c", new Uint8Array([1]))
      yield* knowledge.dropSegments(workspaceId, ["a", "b", "c"])
      assert.strictEqual(yield* stored, "ab")
    }))

  it.effect("publishes one of fifty concurrent renewals of the same snapshot", () =>
    Effect.gen(function*() {
      const { head, publish } = yield* storedSegments
      const first = snapshotOf(["a"])
      yield* publish(first)
      const rivals = Array.from({ length: 50 }, () => snapshotOf(["a"]))
      const answers = yield* fiftyTimes((index) => publish(rivals[index]!, { previous: first.snapshot_id }))
      assert.strictEqual(answers.filter((was) => was).length, 1)
      const winner = rivals[answers.indexOf(true)]
      assert.strictEqual((yield* head).snapshot?.snapshot_id, winner?.snapshot_id)
    }))

  it.effect("publishes only to one workspace", () =>
    Effect.gen(function*() {
      const [home, stranger] = [yield* storedSegments, yield* storedSegments]
      yield* home.publish(snapshotOf(["a"]))
      assert.isNull((yield* stranger.head).snapshot)
      assert.strictEqual(yield* stranger.stored, "abc")
    }))
}
