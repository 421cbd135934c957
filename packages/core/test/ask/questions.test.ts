import { assert, it } from "@effect/vitest"
import type { Answer } from "../../src/model/Ask.ts"
import { StorageUnavailable } from "../../src/model/Error.ts"
import { WorkspaceId } from "../../src/model/Id.ts"
import type { AskedQuestion } from "../../src/ports/QuestionStore.ts"
import { NO_QUESTIONS, QuestionStore } from "../../src/ports/QuestionStore.ts"
import { QuestionLog, Questions } from "../../src/ask/Questions.ts"
import { Workspaces } from "../../src/people/Workspaces.ts"
import { service } from "../support/wholeService.ts"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"

const WORKSPACE = WorkspaceId.make("0199d3a0-5b7e-7c2f-9a31-3f1f0c6f2f55")

const ANSWER: Answer = {
  response: "No.",
  citations: [],
  truncated: false,
  answered: false,
  snapshot: null,
  model: "extractive"
}

/** The service over a store that a test can switch off, and what it was given to keep. */
const opened = Effect.fnUntraced(function*(options: { readonly isKept?: boolean } = {}) {
  const kept: Array<string> = []
  const store = { isAway: false, writes: 0 }
  const append = (questions: ReadonlyArray<AskedQuestion>) =>
    Effect.suspend(() => {
      if (store.isAway) return Effect.fail(new StorageUnavailable({ cause: "away" }))
      store.writes++
      kept.push(...questions.map(({ query }) => query))
      return Effect.void
    })
  const scope = yield* Scope.make()
  const layer = Questions.layer.pipe(
    Layer.provide(Layer.succeed(QuestionStore, { ...NO_QUESTIONS, append })),
    Layer.provide(Layer.succeed(QuestionLog, options.isKept ?? true))
  )
  const questions = Context.get(yield* Layer.buildWithScope(layer, scope), Questions)
  const ask = Effect.fnUntraced(function*(query: string) {
    yield* (yield* questions.begin(WORKSPACE, { query }))(ANSWER)
  })
  return { ask, close: Scope.close(scope, Exit.void), kept, questions, store }
})

it.effect("Questions are stored in batches within a second, without delaying requests", () =>
  Effect.gen(function*() {
    const { ask, kept, store } = yield* opened()
    yield* ask("One?")
    yield* ask("Two?")
    assert.deepStrictEqual(kept, [])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([kept, store.writes], [["One?", "Two?"], 1])
  }))

it.effect("Pending questions are stored when they are listed, and when the service ends", () =>
  Effect.gen(function*() {
    const { ask, close, kept, questions } = yield* opened()
    yield* ask("One?")
    yield* questions.list(WORKSPACE, null, { limit: 9, cursor: null })
    assert.deepStrictEqual(kept, ["One?"])
    yield* ask("Two?")
    yield* close
    assert.deepStrictEqual(kept, ["One?", "Two?"])
  }))

it.effect("Pending questions wait while the storage is unavailable, at most the last thousand", () =>
  Effect.gen(function*() {
    const { ask, kept, store } = yield* opened()
    store.isAway = true
    for (let asked = 1; asked <= 1_010; asked++) yield* ask(`${asked}?`)
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(kept, [])
    store.isAway = false
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([kept.length, kept[0], kept.at(-1)], [1_000, "11?", "1010?"])
  }))

it.effect("Questions are not stored if the host disables the log", () =>
  Effect.gen(function*() {
    const { ask, kept, questions } = yield* opened({ isKept: false })
    yield* ask("One?")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([kept, yield* questions.newId], [[], null])
  }))

it.effect("All questions are deleted, some hundreds at a time", () =>
  Effect.gen(function*() {
    let left = 1_200
    const removeBefore: typeof NO_QUESTIONS["removeBefore"] = (_workspaceId, _before, limit) =>
      Effect.sync(() => {
        const removed = Math.min(left, limit)
        left -= removed
        return removed
      })
    const layer = Questions.layer.pipe(Layer.provide(Layer.succeed(QuestionStore, { ...NO_QUESTIONS, removeBefore })))
    const questions = Context.get(yield* Layer.build(layer), Questions)
    assert.strictEqual(yield* questions.clear(WORKSPACE, null), 1_200)
    assert.strictEqual(left, 0)
  }))

it.effect("Deleted questions do not come back from another server that still holds or answers them", () =>
  Effect.gen(function*() {
    const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada", tier: "pro" })
    const { workspace_id } = personal_workspace
    const server = Effect.map(
      Layer.build(Layer.fresh(Questions.layer)),
      (services) => Context.get(services, Questions)
    )
    const [one, other] = [yield* server, yield* server]
    const begin = (query: string) => other.begin(workspace_id, { query })
    yield* (yield* begin("Held?"))(ANSWER)
    const answered = yield* begin("Answered later?")
    assert.strictEqual(yield* one.clear(workspace_id, null), 0)
    yield* TestClock.adjust("1 millis")
    yield* answered(ANSWER)
    yield* (yield* begin("Later?"))(ANSWER)
    yield* TestClock.adjust("1 second")
    const { items } = yield* one.list(workspace_id, null, { limit: 9, cursor: null })
    assert.deepStrictEqual(items.map(({ query }) => query), ["Later?"])
  }).pipe(Effect.provide(service)))

it.effect("All questions include those of a server whose clock is ahead, unless they are deleted before a moment", () =>
  Effect.gen(function*() {
    const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada", tier: "pro" })
    const { workspace_id } = personal_workspace
    const questions = Context.get(yield* Layer.build(Layer.fresh(Questions.layer)), Questions)
    const ask = (query: string) =>
      Effect.flatMap(questions.begin(workspace_id, { query }), (answered) => answered(ANSWER))
    const left = Effect.map(
      questions.list(workspace_id, null, { limit: 9, cursor: null }),
      ({ items }) => items.map(({ query }) => query)
    )
    yield* TestClock.setTime(60_000)
    for (const query of ["Ahead?", "Also ahead?"]) yield* ask(query)
    yield* TestClock.setTime(1_000)
    yield* ask("Now?")
    assert.strictEqual(yield* questions.clear(workspace_id, new Date(2_000)), 1)
    assert.sameMembers(yield* left, ["Ahead?", "Also ahead?"])
    assert.strictEqual(yield* questions.clear(workspace_id, null), 2)
    yield* TestClock.setTime(2_000)
    yield* ask("Later?")
    assert.deepStrictEqual(yield* left, ["Later?"])
  }).pipe(Effect.provide(service)))

it.effect("Questions are not deleted before they are asked", () =>
  Effect.gen(function*() {
    const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "Ada", tier: "pro" })
    const { workspace_id } = personal_workspace
    const questions = Context.get(yield* Layer.build(Layer.fresh(Questions.layer)), Questions)
    yield* questions.clear(workspace_id, new Date("2100-01-01T00:00:00.000Z"))
    yield* TestClock.adjust("1 millis")
    yield* (yield* questions.begin(workspace_id, { query: "Later?" }))(ANSWER)
    const { items } = yield* questions.list(workspace_id, null, { limit: 9, cursor: null })
    assert.deepStrictEqual(items.map(({ query }) => query), ["Later?"])
  }).pipe(Effect.provide(service)))
