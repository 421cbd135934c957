/** What changes while a sync runs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OPERATOR } from "../../src/model/Principal.ts"
import { connected, documentsOf, leap, settle, withSource } from "../support/connecting.ts"
import { fill } from "../support/tinySource.ts"

describe("while a sync runs", () => {
  it.effect(
    "a new resource inside of its resource loses no documents",
    withSource(Effect.fnUntraced(function*(source) {
      Object.assign(source.provider, { resourcesVary: () => true })
      // The first one finds new ones.
      source.resources.clear()
      fill(source, 1, "first")
      fill(source, 3)
      const { id, state, syncs, workspaceId } = yield* connected()
      yield* settle()
      source.faults.set("00002", Effect.sleep("20 seconds"))
      fill(source, 2, "notes/new")
      yield* syncs.start(workspaceId, id)
      yield* settle(10)
      assert.deepInclude(yield* state("notes/new"), { status: "completed", documents: 2 })
      assert.deepInclude(yield* state(), { status: "running" })
      yield* settle(20)
      assert.deepInclude(yield* state(), { status: "completed", items_deleted: 0, documents: 3 })
      assert.strictEqual(yield* documentsOf(workspaceId), 6)
    }))
  )

  it.effect(
    "a shorter interval applies from its end on",
    withSource(
      Effect.fnUntraced(function*(source) {
        source.faults.set("00002", Effect.sleep("20 seconds"))
        const { connections, id, state, workspace } = yield* connected({}, {
          sync_config: { interval_minutes: 43_200 }
        })
        yield* settle(5)
        yield* connections.update(workspace, id, { sync_config: { interval_minutes: 30 } }, OPERATOR)
        yield* settle(30)
        assert.deepInclude(yield* state(), { status: "completed" })
        yield* leap("40 minutes")
        yield* settle(30)
        assert.strictEqual(source.syncs, 2)
      }),
      3
    )
  )
})
