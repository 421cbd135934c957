/** The contract of `UsageStore`. */
import { assert } from "@effect/vitest"
import type { Day } from "@tributary/core/model/ApiKey"
import { WorkspaceId } from "@tributary/core/model/Id"
import { type UsageBatch, type UsageCount, UsageStore, type WorkspaceUsage } from "@tributary/core/ports/UsageStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect } from "effect"
import { fiftyTimes, freshSource, freshWorkspace, item, newJob, newQueue, newUuid } from "./internal/fixtures.ts"
import type { Kit } from "./internal/Kit.ts"

const DAY: Day = "2026-03-01"

const count = (requests: number, fields?: Partial<UsageCount>): UsageCount => ({
  operation: "POST /v1/knowledge/search",
  outcome: "ok",
  bucket: 4,
  requests,
  ...fields
})

/** The only batch of its writer. */
const batch = (day: Day, usage: ReadonlyArray<WorkspaceUsage>): UsageBatch => ({
  writer: newUuid(),
  number: 1,
  day,
  usage
})

const byName = (one: UsageCount, other: UsageCount) => JSON.stringify(one) < JSON.stringify(other) ? -1 : 1

const historyOf = Effect.fnUntraced(function*(workspaceId: WorkspaceId, since: Day = "2026-01-01") {
  const days = yield* (yield* UsageStore).history(workspaceId, since)
  return days.map((day) => ({ ...day, counts: [...day.counts].sort(byName) }))
})

export const usageStoreContract = (it: Kit): void => {
  it.effect("sums by operation, outcome and bucket, separately for days and workspaces", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const [home, other] = [yield* freshWorkspace, yield* freshWorkspace]
      const refused = count(1, { outcome: "rate_limit_exceeded" })
      const quick = count(2, { bucket: 0 })
      const asked = count(4, { operation: "POST /v1/knowledge/ask" })
      yield* store.add(batch(DAY, [
        { workspace_id: home, counts: [count(3), refused, quick, asked] },
        { workspace_id: other, counts: [count(1)] }
      ]))
      yield* store.add(batch(DAY, [{ workspace_id: home, counts: [count(5)] }]))
      yield* store.add(batch("2026-03-02", [{ workspace_id: home, counts: [count(7)] }]))
      const nothing = { documents: 0, storage: 0 }
      const first = { day: DAY, ...nothing, counts: [asked, count(8), quick, refused].sort(byName) }
      const second = { day: "2026-03-02", ...nothing, counts: [count(7)] }
      assert.deepStrictEqual(yield* historyOf(home), [first, second])
      assert.deepStrictEqual(yield* historyOf(home, "2026-03-02"), [second])
      assert.deepStrictEqual(yield* historyOf(other), [{ day: DAY, ...nothing, counts: [count(1)] }])
    }))

  it.effect("stores the last size of each day, also without requests", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const { admit, workspaceId } = yield* freshSource
      yield* admit([item("a", "alpha")])
      yield* store.add(batch(DAY, [{ workspace_id: workspaceId, counts: [] }]))
      yield* admit([item("b", "be")])
      yield* store.add(batch(DAY, [{ workspace_id: workspaceId, counts: [] }]))
      assert.deepStrictEqual(yield* historyOf(workspaceId), [{ day: DAY, documents: 2, storage: 7, counts: [] }])
    }))

  it.effect("loses no count with fifty concurrent calls", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const [home, other] = [yield* freshWorkspace, yield* freshWorkspace]
      const counts = [count(1), count(2, { bucket: 9 })]
      const usage = [home, other].map((workspace_id) => ({ workspace_id, counts }))
      yield* fiftyTimes((at) => store.add(batch(DAY, at % 2 === 0 ? usage : usage.toReversed())))
      for (const workspace of [home, other]) {
        const [day] = yield* historyOf(workspace)
        assert.deepStrictEqual(day!.counts, [count(50), count(100, { bucket: 9 })])
      }
    }))

  it.effect("counts a batch once that is written again, also concurrently or after a later one of its writer", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const home = yield* freshWorkspace
      const first = batch(DAY, [{ workspace_id: home, counts: [count(1)] }])
      yield* fiftyTimes(() => store.add(first))
      yield* store.add({ ...first, number: 2, usage: [{ workspace_id: home, counts: [count(2)] }] })
      yield* store.add(first)
      assert.deepStrictEqual((yield* historyOf(home))[0]!.counts, [count(3)])
      yield* store.add({ ...first, writer: newUuid() })
      assert.deepStrictEqual((yield* historyOf(home))[0]!.counts, [count(4)])
    }))

  it.effect("remembers a writer as long as the day of its last batch", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const home = yield* freshWorkspace
      const usage = [{ workspace_id: home, counts: [count(1)] }]
      const [gone, active] = [batch("1999-12-30", usage), batch("1999-12-30", usage)]
      const later = { ...active, number: 2, day: "2000-01-01" }
      for (const one of [gone, active, later]) yield* store.add(one)
      yield* store.prune("2000-01-01")
      for (const one of [gone, active, later]) yield* store.add(one)
      assert.deepStrictEqual((yield* historyOf(home, "1999-01-01")).map(({ counts, day }) => [day, counts]), [
        ["1999-12-30", [count(1)]],
        ["2000-01-01", [count(1)]]
      ])
    }))

  it.effect("deletes old days", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const home = yield* freshWorkspace
      for (const day of ["1999-12-31", "2000-01-01"]) {
        yield* store.add(batch(day, [{ workspace_id: home, counts: [count(1)] }]))
      }
      yield* store.prune("2000-01-01")
      assert.deepStrictEqual((yield* historyOf(home, "1999-01-01")).map(({ counts, day }) => [day, counts]), [
        ["2000-01-01", [count(1)]]
      ])
    }))

  it.effect("deletes all old days, however many there are", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const home = yield* freshWorkspace
      const days = Array.from({ length: 120 }, (_, at) => new Date(at * 86_400_000).toISOString().slice(0, 10))
      yield* Effect.forEach(days, (day) => store.add(batch(day, [{ workspace_id: home, counts: [count(1)] }])))
      yield* store.prune("2000-01-01")
      assert.deepStrictEqual(yield* historyOf(home, "1970-01-01"), [])
    }))

  it.effect("stores nothing for an absent or closed workspace, but counts for the others", () =>
    Effect.gen(function*() {
      const store = yield* UsageStore
      const [home, closed] = [yield* freshWorkspace, yield* freshWorkspace]
      const nobody = WorkspaceId.make(newUuid())
      const usage = [nobody, closed, home].map((workspace_id) => ({ workspace_id, counts: [count(1)] }))
      const add = Effect.suspend(() => store.add(batch(DAY, usage)))
      yield* add
      const workspaces = yield* WorkspaceStore
      yield* workspaces.close(closed, newJob(closed, newQueue()))
      yield* add
      for (const absent of [nobody, closed]) assert.deepStrictEqual(yield* historyOf(absent), [])
      yield* workspaces.erase(closed)
      assert.deepStrictEqual(yield* historyOf(closed), [])
      assert.deepStrictEqual((yield* historyOf(home))[0]!.counts, [count(2)])
    }))
}
