/**
 * The contract of `KnowledgeStore` for deleted text: snapshots that contain it are deleted, and segments that mask it
 * are listed.
 */
import { assert } from "@effect/vitest"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { KnowledgeStore, type MaskedText, type SnapshotSegment } from "@tributary/core/ports/KnowledgeStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"
import { item, moment, newJob, newQueue } from "./internal/fixtures.ts"
import type { Kit } from "./internal/Kit.ts"
import { snapshotOf, storedSegments } from "./internal/storedSegments.ts"

const withMasked = (hiding: MaskedText): SnapshotSegment => ({
  segment_id: "b",
  chunks: 2,
  bytes: 1,
  masked: [1],
  hiding
})

/** Of three documents one is replaced at change 4, and one is deleted at change 5. */
const changed = Effect.gen(function*() {
  const shelf = yield* storedSegments
  yield* shelf.admit([item("a", "a"), item("b", "b"), item("c", "c")])
  yield* shelf.admit([item("a", "changed")])
  yield* shelf.remove(["b"])
  return shelf
})

const earlier = snapshotOf(["a", "b", "c"], { change_seq: 3 })

/**
 * Whether `older`, published after a snapshot of change 3, remains when one of change 5 follows; and what is stored
 * then.
 */
const kept = Effect.fnUntraced(function*(older: ReturnType<typeof snapshotOf>) {
  const { knowledge, publish, stored, workspaceId } = yield* changed
  yield* publish(earlier)
  yield* publish(older, { previous: earlier.snapshot_id })
  yield* knowledge.putSegment(workspaceId, "c", new Uint8Array([1]))
  yield* publish(snapshotOf(["c"], { change_seq: 5 }), { previous: older.snapshot_id })
  const segments = yield* stored
  return { segments, older: yield* knowledge.dropOldSnapshots(workspaceId) }
})

export const deletedTextContract = (it: Kit): void => {
  it.effect("deletes snapshots from before a deletion, and their segments, when one that has seen it is published", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* kept(snapshotOf(["b"], { change_seq: 4 })), { segments: "c", older: 0 })
    }))

  it.effect("deletes no snapshot of another workspace", () =>
    Effect.gen(function*() {
      const bystander = yield* storedSegments
      const snapshot = snapshotOf(["a"])
      yield* bystander.publish(snapshot)
      yield* kept(snapshotOf(["b"], { change_seq: 4 }))
      assert.deepStrictEqual((yield* bystander.head).snapshot, snapshot)
      assert.strictEqual(yield* bystander.stored, "a")
    }))

  it.effect("deletes them after a refresh has seen it, too", () =>
    Effect.gen(function*() {
      const { head, publish, stored } = yield* changed
      const second = snapshotOf(["b", "c"], { change_seq: 4 })
      const renewed = snapshotOf(["c"], { change_seq: 5 })
      yield* publish(earlier)
      yield* publish(second, { previous: earlier.snapshot_id })
      assert.strictEqual(yield* stored, "abc")
      yield* publish(renewed, { previous: second.snapshot_id, replaces: true })
      assert.strictEqual(yield* stored, "c")
      assert.deepStrictEqual((yield* head).snapshot, renewed)
    }))

  it.effect("keeps a snapshot without deleted text in its bytes, and deletes one that only masks it", () =>
    Effect.gen(function*() {
      const clean = snapshotOf(["b"], { change_seq: 5 })
      assert.deepStrictEqual(yield* kept(clean), { segments: "bc", older: 1 })
      const hides = snapshotOf([], { change_seq: 5, segments: [withMasked({ since: 0, after: 4 })] })
      assert.deepStrictEqual(yield* kept(hides), { segments: "c", older: 0 })
      const hidesOther = snapshotOf([], { change_seq: 5, segments: [withMasked({ since: 0, after: 5 })] })
      assert.deepStrictEqual(yield* kept(hidesOther), { segments: "bc", older: 1 })
    }))

  it.effect("keeps snapshots as long as the published one has seen no deletion, even after replacements", () =>
    Effect.gen(function*() {
      const { knowledge, publish, stored, workspaceId } = yield* changed
      yield* publish(earlier)
      yield* publish(snapshotOf(["c"], { change_seq: 4 }), { previous: earlier.snapshot_id })
      assert.strictEqual(yield* stored, "abc")
      assert.strictEqual(yield* knowledge.dropOldSnapshots(workspaceId), 1)
    }))

  it.effect("forgets a deletion when no snapshot contains its text", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { publish, workspaceId } = yield* changed
      const deletions = Effect.map(documents.changes(workspaceId, 0, 100), (changes) =>
        changes.filter(({ document }) => document === null).map(({ change_seq }) => change_seq))
      yield* documents.pruneTombstones
      assert.deepStrictEqual(yield* deletions, [5])
      yield* publish(earlier)
      // Of a workspace that has more changes.
      const later = yield* storedSegments
      yield* later.publish(snapshotOf(["a"], { change_seq: 9 }))
      yield* documents.pruneTombstones
      assert.deepStrictEqual(yield* deletions, [5])
      const hides = snapshotOf(["c"], { change_seq: 5, segments: [withMasked({ since: 0, after: 4 })] })
      yield* publish(hides, { previous: earlier.snapshot_id, replaces: true })
      yield* documents.pruneTombstones
      assert.deepStrictEqual(yield* deletions, [5])
      const clean = snapshotOf(["b"], { change_seq: 5 })
      yield* publish(clean, { previous: hides.snapshot_id, replaces: true })
      yield* documents.pruneTombstones
      assert.deepStrictEqual(yield* deletions, [])
    }))

  it.effect("remembers a deletion as long as any of several snapshots contains its text", () =>
    Effect.gen(function*() {
      const documents = yield* DocumentStore
      const { publish, workspaceId } = yield* changed
      const clean = snapshotOf(["b"], { change_seq: 5 })
      yield* publish(clean)
      const hides = snapshotOf([], { change_seq: 5, segments: [withMasked({ since: 0, after: 4 })] })
      assert.isTrue(yield* publish(hides, { previous: clean.snapshot_id }))
      yield* documents.pruneTombstones
      const changes = yield* documents.changes(workspaceId, 4, 100)
      assert.deepStrictEqual(changes.map(({ change_seq }) => change_seq), [5])
    }))

  it.effect("lists, page by page, workspaces whose published snapshot has masked text for long", () =>
    Effect.gen(function*() {
      const knowledge = yield* KnowledgeStore
      const publishedSince = Effect.fnUntraced(function*(millis: number) {
        const shelf = yield* storedSegments
        const snapshot = snapshotOf([], { segments: [withMasked({ since: moment(millis).getTime(), after: 0 })] })
        yield* shelf.publish(snapshot)
        return { ...shelf, snapshot }
      })
      const [long, longer, brief, before] = [
        yield* publishedSince(1),
        yield* publishedSince(0),
        yield* publishedSince(2),
        yield* publishedSince(0)
      ]
      const closed = yield* publishedSince(0)
      yield* (yield* WorkspaceStore).close(closed.workspaceId, newJob(closed.workspaceId, newQueue()))
      yield* before.knowledge.putSegment(before.workspaceId, "c", new Uint8Array([1]))
      yield* before.publish(snapshotOf(["c"]), { previous: before.snapshot.snapshot_id })
      const all: Array<WorkspaceId> = []
      for (let after: WorkspaceId | null = null;;) {
        const page: ReadonlyArray<WorkspaceId> = yield* knowledge.withMaskedText(moment(2), { after, limit: 1 })
        assert.isAtMost(page.length, 1)
        if (page.length === 0) break
        after = page[0]!
        all.push(after)
      }
      const ours = [long, longer, brief, before, closed].map(({ workspaceId }) => workspaceId)
      assert.deepStrictEqual(
        all.filter((id) => ours.includes(id)),
        [long.workspaceId, longer.workspaceId]
      )
    }))
}
