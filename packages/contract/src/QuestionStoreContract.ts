/** The contract of `QuestionStore`. */
import { assert } from "@effect/vitest"
import { DocumentId, QuestionId, WorkspaceId } from "@tributary/core/model/Id"
import { type QuestionRecord, QuestionStore } from "@tributary/core/ports/QuestionStore"
import { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { anyText } from "./internal/anyText.ts"
import { freshWorkspace, moment, newJob, newQueue, newUuid } from "./internal/fixtures.ts"
import { type Kit, RUNS } from "./internal/Kit.ts"

const newQuestion = (fields?: Partial<QuestionRecord>): QuestionRecord => ({
  question_id: QuestionId.make(newUuid()),
  query: "When do deploys run?",
  answered: true,
  model: "extractive",
  sources: ["custom:wiki"],
  documents: [DocumentId.make(newUuid())],
  duration_ms: 12,
  asked_at: moment(),
  principal: { type: "api_key", id: newUuid() },
  filter_digest: null,
  feedback: null,
  ...fields
})

/** A workspace with these questions, and the store with its arguments filled in that seldom matter. */
const asked = Effect.fnUntraced(function*(...questions: ReadonlyArray<QuestionRecord>) {
  const store = yield* QuestionStore
  const workspace_id = yield* freshWorkspace
  yield* store.append(questions.map((question) => ({ ...question, workspace_id })))
  return {
    store,
    workspace_id,
    list: (after: QuestionId | null = null, limit = 9, answered: boolean | null = null) =>
      store.list(workspace_id, { answered, after, limit })
  }
})

export const questionStoreContract = (it: Kit): void => {
  it.effect.prop("returns a question as it was stored", [anyText, anyText], ([query, text]) =>
    Effect.gen(function*() {
      const question = newQuestion({
        query,
        model: text,
        sources: [text, query],
        documents: [DocumentId.make(newUuid()), DocumentId.make(newUuid())],
        filter_digest: text,
        principal: { type: "user", id: text },
        feedback: { useful: false, comment: text, given_at: moment(5) }
      })
      const { list, store, workspace_id } = yield* asked(question)
      assert.deepStrictEqual(yield* list(), [question])
      assert.deepStrictEqual(yield* store.find(workspace_id, question.question_id), Option.some(question))
    }), RUNS)

  it.effect("pages through a workspace's questions newest first, optionally only unanswered ones", () =>
    Effect.gen(function*() {
      const [one, two, three] = [newQuestion(), newQuestion({ answered: false }), newQuestion()]
      const { list } = yield* asked(three, one, two)
      yield* asked(newQuestion({ answered: false }))
      assert.deepStrictEqual(yield* list(null, 2), [three, two])
      assert.deepStrictEqual(yield* list(two.question_id), [one])
      assert.deepStrictEqual(yield* list(null, 9, false), [two])
      assert.deepStrictEqual(yield* list(two.question_id, 9, false), [])
      assert.deepStrictEqual(yield* list(null, 9, true), [three, one])
    }))

  it.effect("stores an id once, and nothing for an absent workspace", () =>
    Effect.gen(function*() {
      const question = newQuestion()
      const { list, store, workspace_id } = yield* asked(question)
      const nobody = WorkspaceId.make(newUuid())
      const again = newQuestion()
      yield* store.append([
        { ...question, query: "Another?", workspace_id },
        { ...newQuestion(), workspace_id: nobody },
        { ...again, workspace_id }
      ])
      assert.deepStrictEqual(yield* list(), [again, question])
      assert.deepStrictEqual(yield* store.list(nobody, { answered: null, after: null, limit: 9 }), [])
    }))

  it.effect("keeps the last feedback, only in the question's own workspace", () =>
    Effect.gen(function*() {
      const question = newQuestion()
      const { list, store, workspace_id } = yield* asked(question)
      const rate = (workspace: WorkspaceId, useful: boolean) =>
        store.rate(workspace, question.question_id, { useful, comment: null, given_at: moment(9) })
      yield* rate(workspace_id, true)
      const rated = { ...question, feedback: { useful: false, comment: null, given_at: moment(9) } }
      assert.deepStrictEqual(yield* rate(workspace_id, false), Option.some(rated))
      assert.isTrue(Option.isNone(yield* rate(yield* freshWorkspace, true)))
      assert.deepStrictEqual(yield* list(), [rated])
      const absent = QuestionId.make(newUuid())
      assert.isTrue(Option.isNone(yield* store.find(workspace_id, absent)))
    }))

  it.effect("deletes one question, or older ones of a workspace in steps", () =>
    Effect.gen(function*() {
      const [one, two, three, four] = [-2, -1, 0, 1].map((millis) => newQuestion({ asked_at: moment(millis) }))
      const { list, store, workspace_id } = yield* asked(one!, two!, three!, four!)
      const bystander = yield* asked(newQuestion({ asked_at: moment(-9) }))
      assert.isFalse(yield* store.remove(bystander.workspace_id, four!.question_id))
      assert.isTrue(yield* store.remove(workspace_id, four!.question_id))
      assert.isFalse(yield* store.remove(workspace_id, four!.question_id))
      assert.strictEqual(yield* store.removeBefore(workspace_id, moment(), 1), 1)
      assert.strictEqual(yield* store.removeBefore(workspace_id, moment(), 9), 1)
      assert.deepStrictEqual(yield* list(), [three!])
      assert.strictEqual((yield* bystander.list()).length, 1)
    }))

  it.effect("deletes earlier questions also if they are appended after the deletion, in that workspace alone", () =>
    Effect.gen(function*() {
      const { list, store, workspace_id } = yield* asked()
      for (const before of [moment(5), moment(1)]) {
        assert.strictEqual(yield* store.removeBefore(workspace_id, before, 9), 0)
      }
      const [early, kept] = [newQuestion({ asked_at: moment(4) }), newQuestion({ asked_at: moment(5) })]
      yield* store.append([early, kept].map((question) => ({ ...question, workspace_id })))
      assert.deepStrictEqual(yield* list(), [kept])
      const bystander = yield* asked(early)
      assert.deepStrictEqual(yield* bystander.list(), [early])
    }))

  it.effect("keeps one deleted that is appended again, in its workspace alone", () =>
    Effect.gen(function*() {
      const [one, two, kept] = [newQuestion(), newQuestion(), newQuestion()]
      const { list, store, workspace_id } = yield* asked(one, two)
      for (const { question_id } of [one, two]) assert.isTrue(yield* store.remove(workspace_id, question_id))
      yield* store.append([one, two, kept].map((question) => ({ ...question, workspace_id })))
      assert.deepStrictEqual(yield* list(), [kept])
      const bystander = yield* asked(one)
      assert.deepStrictEqual(yield* bystander.list(), [one])
    }))

  it.effect("deletes old questions", () =>
    Effect.gen(function*() {
      const [old, kept] = [newQuestion({ asked_at: new Date(999) }), newQuestion({ asked_at: new Date(1_000) })]
      const { list, store } = yield* asked(old, kept)
      yield* store.prune(new Date(1_000))
      assert.deepStrictEqual(yield* list(), [kept])
    }))

  it.effect("shows and stores nothing of a closed workspace", () =>
    Effect.gen(function*() {
      const question = newQuestion()
      const { list, store, workspace_id } = yield* asked(question)
      const workspaces = yield* WorkspaceStore
      yield* workspaces.close(workspace_id, newJob(workspace_id, newQueue()))
      const feedback = { useful: true, comment: null, given_at: moment() }
      assert.isTrue(Option.isNone(yield* store.find(workspace_id, question.question_id)))
      assert.isTrue(Option.isNone(yield* store.rate(workspace_id, question.question_id, feedback)))
      assert.isFalse(yield* store.remove(workspace_id, question.question_id))
      yield* store.append([{ ...newQuestion(), workspace_id }])
      assert.deepStrictEqual(yield* list(), [])
      yield* workspaces.erase(workspace_id)
      assert.deepStrictEqual(yield* list(), [])
    }))
}
