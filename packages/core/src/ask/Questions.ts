/**
 * The log of questions: which ones the documents do not answer, and which answers were useful. Kept for 30 days, unless
 * the host turns it off.
 */
import { Clock, Context, Effect, Layer, type Option, Struct } from "effect"
import { paged } from "../internal/paged.ts"
import { sha256HexNow } from "../internal/sha256.ts"
import { uuid7 } from "../internal/uuid7.ts"
import type { Answer, AskRequest, Citation } from "../model/Ask.ts"
import { cursorOf } from "../model/Cursor.ts"
import { QuestionNotFound, type StorageUnavailable } from "../model/Error.ts"
import { parseId, QuestionId, type WorkspaceId } from "../model/Id.ts"
import type { InvalidCursor, Page, PageRequest } from "../model/Page.ts"
import { OPERATOR, type Principal } from "../model/Principal.ts"
import type { NewFeedback, Question } from "../model/Question.ts"
import type { TokenFilter } from "../model/Token.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { NO_QUESTIONS, type QuestionRecord, QuestionStore } from "../ports/QuestionStore.ts"
import { questionBuffer } from "./questionBuffer.ts"

/** Whether questions are logged. */
export const QuestionLog = Context.Reference<boolean>("@tributary/core/QuestionLog", { defaultValue: () => true })

interface Asker {
  readonly principal: Principal
  /** The id of the question; null for a new one. */
  readonly question_id: QuestionId | null
}

/** The caller who asks. */
export const CurrentAsker = Context.Reference<Asker>("@tributary/core/CurrentAsker", {
  defaultValue: () => ({ principal: OPERATOR, question_id: null })
})

const cursor = cursorOf("questions", QuestionId)

/** The most questions deleted in one act. */
const STEP = 500

const digestOf = (filter: TokenFilter | null): string | null =>
  filter === null ? null : sha256HexNow(JSON.stringify(filter))

const shown = (question: QuestionRecord): Question => Struct.omit(question, ["filter_digest"])

const cited = <A>({ citations }: Answer, read: (entity: Citation["entity"]) => A): ReadonlyArray<A> => [
  ...new Set(citations.map(({ entity }) => read(entity)))
]

export class Questions extends Context.Service<Questions, {
  /** An id for a question before it is asked; null if questions are not logged. */
  readonly newId: Effect.Effect<QuestionId | null>
  /** The current caller, to be logged with the answer. */
  begin(workspaceId: WorkspaceId, request: AskRequest): Effect.Effect<(answer: Answer) => Effect.Effect<void>>
  /** Newest first, including questions that this server answered a moment ago. */
  list(
    workspaceId: WorkspaceId,
    answered: boolean | null,
    page: PageRequest
  ): Effect.Effect<Page<Question>, InvalidCursor | StorageUnavailable>
  /** Replaces earlier feedback. A caller with a filter rates only questions asked under the same filter. */
  rate(
    workspaceId: WorkspaceId,
    questionId: string,
    feedback: NewFeedback,
    principal: Principal
  ): Effect.Effect<Question, QuestionNotFound | StorageUnavailable>
  remove(workspaceId: WorkspaceId, questionId: string): Effect.Effect<QuestionId, QuestionNotFound | StorageUnavailable>
  /** Deletes questions from before `before`, or all. Returns their number. */
  clear(workspaceId: WorkspaceId, before: Date | null): Effect.Effect<number, StorageUnavailable>
}>()("@tributary/core/Questions") {
  static readonly layer = Layer.effect(
    Questions,
    Effect.gen(function*() {
      const store = yield* QuestionStore
      const isKept = (yield* QuestionLog) && store !== NO_QUESTIONS
      const { add, flush } = yield* questionBuffer(store)

      const begin = Effect.fnUntraced(function*(workspace_id: WorkspaceId, { query }: AskRequest) {
        const { principal, question_id } = yield* CurrentAsker
        const filter_digest = digestOf(yield* CurrentTokenFilter)
        const began = yield* Clock.currentTimeMillis
        return Effect.fnUntraced(function*(answer: Answer) {
          if (!isKept) return
          const now = yield* Clock.currentTimeMillis
          add({
            workspace_id,
            question_id: question_id ?? uuid7<QuestionId>(began),
            query,
            answered: answer.answered,
            model: answer.model,
            sources: cited(answer, ({ source }) => source),
            documents: cited(answer, ({ id }) => id),
            duration_ms: Math.max(0, Math.round(now - began)),
            asked_at: new Date(began),
            principal,
            feedback: null,
            filter_digest
          })
        })
      })

      const idOf = (questionId: string) =>
        Effect.fromOption(parseId(QuestionId)(questionId), () => new QuestionNotFound())

      const found = (question: Option.Option<QuestionRecord>) =>
        Effect.fromOption(question, () => new QuestionNotFound())

      const rate = Effect.fn("Questions.rate")(function*(
        workspaceId: WorkspaceId,
        questionId: string,
        { comment, useful }: NewFeedback,
        principal: Principal
      ) {
        const id = yield* idOf(questionId)
        yield* flush
        const filter = digestOf(yield* CurrentTokenFilter)
        if (filter !== null) {
          const asked = yield* found(yield* store.find(workspaceId, id))
          const isTheirs = asked.filter_digest === filter && asked.principal.id === principal.id
          if (!isTheirs) return yield* new QuestionNotFound()
        }
        const given_at = new Date(yield* Clock.currentTimeMillis)
        return shown(yield* found(yield* store.rate(workspaceId, id, { useful, comment: comment ?? null, given_at })))
      })

      const remove = Effect.fn("Questions.remove")(function*(workspaceId: WorkspaceId, questionId: string) {
        const id = yield* idOf(questionId)
        yield* flush
        return (yield* store.remove(workspaceId, id)) ? id : yield* new QuestionNotFound()
      })

      /** One by one: questions of the present may be older than those of a server whose clock is ahead. */
      const removeRest = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        let removed = 0
        let after: QuestionId | null = null
        while (true) {
          const rest: ReadonlyArray<QuestionRecord> = yield* store.list(workspaceId, {
            answered: null,
            after,
            limit: STEP
          })
          for (const { question_id } of rest) if (yield* store.remove(workspaceId, question_id)) removed++
          if (rest.length < STEP) return removed
          after = rest.at(-1)!.question_id
        }
      })

      const clear = Effect.fn("Questions.clear")(function*(workspaceId: WorkspaceId, before: Date | null) {
        yield* flush
        const now = (yield* Clock.currentTimeMillis) + 1
        // Questions of the future are not deleted in advance.
        const until = new Date(Math.min(before?.getTime() ?? now, now))
        let removed = 0
        while (true) {
          const step = yield* store.removeBefore(workspaceId, until, STEP)
          removed += step
          if (step < STEP) return before === null ? removed + (yield* removeRest(workspaceId)) : removed
        }
      })

      return Questions.of({
        newId: isKept
          ? Effect.map(Clock.currentTimeMillis, (now) => uuid7<QuestionId>(now))
          : Effect.succeed(null),
        begin,
        list: Effect.fn("Questions.list")((workspaceId, answered, page) =>
          Effect.andThen(
            flush,
            Effect.map(
              paged(cursor, page, (question: QuestionRecord) =>
                question.question_id, (after, limit) =>
                store.list(workspaceId, { answered, after, limit })),
              ({ items, next }) => ({ items: items.map(shown), next })
            )
          )
        ),
        rate,
        remove,
        clear
      })
    })
  )
}
