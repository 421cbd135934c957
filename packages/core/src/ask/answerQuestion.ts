/** Answers one question from the documents in range. */
import { Clock, Effect, Stream } from "effect"
import type { AskEvent, AskRequest } from "../model/Ask.ts"
import { askedModel } from "../model/AskHistory.ts"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Answerer, type Outcome } from "../ports/Answerer.ts"
import { AnswerDraft } from "./AnswerDraft.ts"
import { openEvidence } from "./evidenceSource.ts"
import { finishedAnswer } from "./finishedAnswer.ts"
import { Questions } from "./Questions.ts"
import { withoutDeleted } from "./withoutDeleted.ts"

const NO_OUTCOME = new Error("An answerer has to end with its outcome.")

const isDone = (event: AskEvent): event is Extract<AskEvent, { event: "done" }> => event.event === "done"

/** The answer as a stream. The evidence is read before the stream starts, so that most errors come first. */
export const streamAnswer = Effect.fn("Asks.stream")(function*(workspaceId: WorkspaceId, request: AskRequest) {
  const now = yield* Clock.currentTimeMillis
  const answerer = yield* Answerer
  const note = yield* (yield* Questions).begin(workspaceId, request)
  const evidence = yield* openEvidence(workspaceId, request, now)
  const draft = new AnswerDraft(evidence.given)

  const finish = Effect.fnUntraced(function*(outcome: Outcome) {
    const { leftOut } = draft
    if (leftOut > 0) {
      yield* Effect.logWarning("statements with unknown quotes are left out", {
        model: outcome.model,
        statements: leftOut
      })
    }
    const answer = finishedAnswer(draft, outcome, evidence.snapshot(), yield* evidence.warnings)
    yield* note(answer)
    const done: AskEvent = { event: "done", data: answer }
    const events: ReadonlyArray<AskEvent> = answer.answered
      ? [done]
      : [{ event: "delta", data: { text: answer.response } }, done]
    return events
  })

  const question = {
    workspaceId,
    query: request.query,
    timezone: request.timezone ?? "UTC",
    now: new Date(now),
    language: request.language ?? null,
    history: request.history ?? []
  }
  return answerer.answer(question, evidence.source).pipe(
    Stream.catchTag("ModelUnavailable", (cause) => Stream.fail(new StorageUnavailable({ cause }))),
    Stream.concat(Stream.die(NO_OUTCOME)),
    Stream.takeUntil(({ _tag }) => _tag === "Outcome"),
    Stream.mapEffect((element) => element._tag === "Outcome" ? finish(element) : Effect.succeed(draft.add(element))),
    Stream.flattenIterable
  )
})

export const answerQuestion = Effect.fn("Asks.answer")(function*(workspaceId: WorkspaceId, request: AskRequest) {
  const events = yield* Stream.runCollect(yield* streamAnswer(workspaceId, request))
  const answer = events.find(isDone)!.data
  // Quotes without a model are as recent as a search; a model takes long enough for a quoted document to be deleted.
  return askedModel(answer) ? yield* withoutDeleted(workspaceId, answer) : answer
})
