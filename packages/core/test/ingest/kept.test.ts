/** Retention: data that is kept for a while, and then deleted by any process. */
import { assert, it } from "@effect/vitest"
import { Asks } from "@tributary/core/Asks"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { Questions } from "@tributary/core/Questions"
import { QuestionLog } from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Memory from "@tributary/memory/Memory"
import { Duration, Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { documentsOf, node, settle, until } from "../support/connecting.ts"
import { tinySource } from "../support/tinySource.ts"
import { connected } from "../support/services.ts"

const DAY = 86_400_000

it.effect("an ask job is kept for 30 days, and events for 90, of documents that stay", () =>
  Effect.gen(function*() {
    const running = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provide(work, node(tinySource()))
    const { id, jobId } = yield* running(Effect.gen(function*() {
      const { id, source: connector_id, workspace } = yield* connected()
      yield* (yield* Ingest).text(workspace, connector_id, [{ external_id: "a", text: "Badgers dig." }])
      const asks = yield* Asks
      const { job_id } = yield* asks.askLater(id, { query: "Who digs?" })
      yield* until(Effect.map(asks.job(id, job_id, Duration.zero), ({ status }) => status === "succeeded"))
      return { id, jobId: job_id }
    }))
    const keptAfter = Effect.fnUntraced(function*(days: number) {
      yield* TestClock.setTime(days * DAY)
      return yield* running(Effect.gen(function*() {
        yield* settle(2)
        const documents = yield* Documents
        const job = yield* Effect.result((yield* Asks).job(id, jobId, Duration.zero))
        const page = { limit: 10, cursor: null }
        const { items: events } = yield* documents.events(id, { source: null, kind: null }, page)
        return { job: Result.isSuccess(job), events: events.length, documents: yield* documentsOf(id) }
      }))
    })
    assert.deepStrictEqual(yield* keptAfter(29.9), { job: true, events: 1, documents: 1 })
    assert.deepStrictEqual(yield* keptAfter(30.1), { job: false, events: 1, documents: 1 })
    assert.deepStrictEqual(yield* keptAfter(89.9), { job: false, events: 1, documents: 1 })
    assert.deepStrictEqual(yield* keptAfter(90.1), { job: false, events: 0, documents: 1 })
  }).pipe(Effect.provide(Layer.fresh(Memory.layer))))

it.effect("a question is kept for 30 days, and not at all once the host keeps none", () =>
  Effect.gen(function*() {
    const running = <A, E, R>(work: Effect.Effect<A, E, R>, isKept = true) =>
      Effect.provide(work, Layer.provide(node(tinySource()), Layer.succeed(QuestionLog, isKept)))
    const asked = Effect.gen(function*() {
      const { personal_workspace: { workspace_id } } = yield* (yield* Workspaces).createAccount({ name: "Ada" })
      yield* (yield* Asks).ask(workspace_id, { query: "Who digs?" })
      return workspace_id
    })
    const keptAfter = Effect.fnUntraced(function*(id: Effect.Success<typeof asked>, days: number, isKept?: boolean) {
      yield* TestClock.setTime(days * DAY)
      const listed = Effect.gen(function*() {
        yield* settle(2)
        return (yield* (yield* Questions).list(id, null, { limit: 10, cursor: null })).items.length
      })
      return yield* running(listed, isKept)
    })
    const id = yield* running(asked)
    assert.strictEqual(yield* keptAfter(id, 29.9), 1)
    assert.strictEqual(yield* keptAfter(id, 30.1), 0)
    const later = yield* running(asked)
    assert.strictEqual(yield* keptAfter(later, 31, true), 1)
    assert.strictEqual(yield* keptAfter(later, 31, false), 0)
  }).pipe(Effect.provide(Layer.fresh(Memory.layer))))
