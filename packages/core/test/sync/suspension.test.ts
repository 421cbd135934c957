/** What happens to syncs, watches and deliveries while a workspace is suspended, and afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { newJob } from "../../src/jobs/newJob.ts"
import type { WorkspaceId } from "../../src/model/Id.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { JobStore } from "../../src/ports/JobStore.ts"
import { WebhookStore } from "../../src/ports/WebhookStore.ts"
import { WEBHOOK_QUEUE } from "../../src/webhooks/run/webhookJobs.ts"
import { connected, documentsOf, leap, service, settle, withSource } from "../support/connecting.ts"
import { hooked, received, withReceiver } from "../support/receiver.ts"
import { reportingSource } from "../support/reportingSource.ts"
import { fill } from "../support/tinySource.ts"

const suspend = Effect.fnUntraced(function*(workspaceId: WorkspaceId, suspended: boolean) {
  yield* (yield* Workspaces).update(workspaceId, { suspended })
})

describe("a suspended workspace", () => {
  it.effect(
    "has no syncs; those that became due run when the suspension is lifted",
    withSource(3, function*(source) {
      const { state, workspaceId } = yield* connected()
      yield* settle()
      yield* suspend(workspaceId, true)
      const before = source.syncs
      source.resources.get("notes")!.set("new", "A new one.")
      yield* leap("5 hours")
      yield* settle()
      assert.strictEqual(source.syncs, before)
      yield* suspend(workspaceId, false)
      yield* settle(10)
      assert.deepInclude(yield* state(), { status: "completed", items_ingested: 1 })
      assert.strictEqual(source.syncs, before + 1)
    })
  )

  it.effect(
    "stops a running sync, which continues from its last checkpoint",
    withSource(25, function*(source) {
      source.faults.set("00015", Effect.sleep("1 day"))
      const { state, workspaceId } = yield* connected()
      yield* settle(10)
      assert.strictEqual(source.running, 1)
      yield* suspend(workspaceId, true)
      yield* settle(5)
      assert.strictEqual(source.running, 0)
      yield* leap("2 hours")
      yield* settle()
      assert.strictEqual(source.syncs, 1)
      source.faults.clear()
      yield* suspend(workspaceId, false)
      yield* settle()
      assert.deepInclude(yield* state(), { status: "completed", error: null })
      assert.strictEqual(source.began.at(-1)!.cursor, "10")
      assert.strictEqual(yield* documentsOf(workspaceId), 25)
    })
  )

  it.effect("is not watched, and is pulled at once when the suspension is lifted", () =>
    Effect.flatMap(reportingSource, (source) => {
      fill(source, 3)
      return Effect.gen(function*() {
        const { workspaceId } = yield* connected()
        yield* settle(30)
        assert.strictEqual(source.watches, 1)
        yield* suspend(workspaceId, true)
        yield* settle()
        assert.strictEqual(source.watches, 0)
        source.resources.get("notes")!.set("new", "A new one.")
        yield* suspend(workspaceId, false)
        yield* settle()
        assert.strictEqual(yield* documentsOf(workspaceId), 4)
        assert.strictEqual(source.watches, 1)
      }).pipe(Effect.provide(service(source)))
    }))

  it.effect(
    "sends no events; they are sent when the suspension is lifted",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { deliveries, id, put } = yield* hooked(["document.created"])
      receiver.answer = () => "unreachable"
      yield* put("a", "one")
      yield* received(receiver, 1)
      yield* suspend(id, true)
      yield* settle(5)
      const before = receiver.got.length
      // Stored by a request that was admitted before.
      yield* put("b", "two")
      yield* leap("5 hours")
      yield* settle()
      assert.strictEqual(receiver.got.length, before)
      receiver.answer = () => ({ status: 204, body: "", retryAfterSeconds: undefined })
      yield* suspend(id, false)
      yield* received(receiver, before + 2)
      assert.deepStrictEqual((yield* deliveries).map(({ status }) => status), ["succeeded", "succeeded"])
    }))
  )

  it.effect(
    "whose webhook was to be served already serves it as soon as the suspension is lifted, and not before",
    withReceiver(Effect.fnUntraced(function*(receiver) {
      const { id, put, webhook: { webhook_id } } = yield* hooked(["document.created"])
      yield* settle(5)
      const due = Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => Effect.flatMap(WebhookStore, (store) => store.due(new Date(now), 10))
      )
      assert.deepStrictEqual(yield* due, [])
      yield* suspend(id, true)
      yield* put("a", "one")
      const job = newJob(id, yield* Clock.currentTimeMillis, {
        queue: WEBHOOK_QUEUE,
        payload: JSON.stringify({ webhook_id }),
        max_attempts: 1,
        deadline_seconds: 60,
        joins: false
      })
      yield* (yield* JobStore).enqueue(job, null)
      yield* settle(2)
      assert.lengthOf(receiver.got, 0)
      yield* suspend(id, false)
      assert.deepStrictEqual(yield* due, [{ workspace_id: id, webhook_id }])
    }))
  )
})
