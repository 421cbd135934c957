import { assert, it } from "@effect/vitest"
import { QuestionId } from "@tributary/core/model/Id"
import { OPERATOR } from "@tributary/core/model/Principal"
import { QuestionStore } from "@tributary/core/ports/QuestionStore"
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { isWaitingIn } from "./support/isWaiting.ts"
import { newSource, newUuid, NOW } from "./support/source.ts"

const schema = newSchema()

describePostgres("a question that is stored while the questions of its workspace are deleted", () => {
  const isWaiting = isWaitingIn(schema)

  /** The first one commits when the second one waits for it. */
  const together = Effect.fnUntraced(function*<E, R>(
    first: Effect.Effect<unknown, E, R>,
    second: Effect.Effect<unknown, E, R>
  ) {
    const sql = yield* SqlClient.SqlClient
    const [done, waited] = [yield* Latch.make(), yield* Latch.make()]
    const committed = yield* Effect.forkChild(
      sql.withTransaction(first.pipe(Effect.andThen(done.open), Effect.andThen(waited.await)))
    )
    yield* done.await
    const waiting = yield* Effect.forkChild(second)
    yield* Effect.repeat(isWaiting, { until: (waits) => waits || waiting.pollUnsafe() !== undefined })
    yield* waited.open
    yield* Fiber.join(committed)
    yield* Fiber.join(waiting)
  })

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("is deleted, whichever of them comes first", () =>
      Effect.gen(function*() {
        const store = yield* QuestionStore
        for (const isStoredFirst of [true, false]) {
          const { workspaceId } = yield* newSource
          const append = store.append([{
            workspace_id: workspaceId,
            question_id: QuestionId.make(newUuid()),
            query: "When do deploys run?",
            answered: true,
            model: "extractive",
            sources: [],
            documents: [],
            duration_ms: 12,
            asked_at: NOW,
            principal: OPERATOR,
            filter_digest: null,
            feedback: null
          }])
          const remove = store.removeBefore(workspaceId, new Date(NOW.getTime() + 1), 9)
          yield* isStoredFirst ? together(append, remove) : together(remove, append)
          assert.deepStrictEqual(yield* store.list(workspaceId, { answered: null, after: null, limit: 9 }), [])
        }
      }))
  })
})
