/** Answers one question from the documents in range. */
import { Clock, Effect, Stream } from "effect"
import type { Answer, AskEvent, AskRequest } from "../model/Ask.ts"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Answerer, type Outcome } from "../ports/Answerer.ts"
import { AnswerDraft } from "./AnswerDraft.ts"
import { openEvidence } from "./evidenceSource.ts"
import { Questions } from "./Questions.ts"

const NO_EVIDENCE = "The knowledge context of this workspace holds nothing that answers this question."

/** They often hold the answer in other words than the question's. */
const ONLY_RELATED =
  "The knowledge context of this workspace holds no certain answer to this question, only passages that come close."

const NO_OUTCOME = new Error("An answerer has to end with its outcome.")

const unproved = (statements: number): string =>
  `answerer: ${
    statements === 1 ? "a statement was" : `${statements} statements were`
  } left out, because not every quote ` +
  "is in the passages that the answerer was given"

const isDone = (event: AskEvent): event is Extract<AskEvent, { event: "done" }> => event.event === "done"

/** The answer as a stream. The evidence is read before the stream starts, so that most errors come first. */
export const streamAnswer = Effect.fn("Asks.stream")(function*(workspaceId: WorkspaceId, request: AskRequest) {
  const now = yield* Clock.currentTimeMillis
  const answerer = yield* Answerer
  const note = yield* (yield* Questions).begin(workspaceId, request)
  const evidence = yield* openEvidence(workspaceId, request, now)
  const draft = new AnswerDraft(evidence.given)

  const finish = Effect.fnUntraced(function*({ model, related, truncated, warnings }: Outcome) {
    const answered = draft.citations.length > 0
    const { leftOut } = draft
    if (leftOut > 0) {
      yield* Effect.logWarning("statements with unknown quotes are left out", { model, statements: leftOut })
    }
    const closest = answered ? [] : draft.related(related)
    const allWarnings = [
      ...(yield* evidence.warnings),
      ...(leftOut > 0 ? [unproved(leftOut)] : []),
      ...warnings
    ]
    const answer: Answer = {
      response: answered ? draft.response : closest.length > 0 ? ONLY_RELATED : NO_EVIDENCE,
      citations: draft.citations,
      truncated: answered && truncated,
      answered,
      snapshot: evidence.snapshot(),
      model,
      ...(closest.length === 0 ? {} : { related: closest }),
      ...(allWarnings.length === 0 ? {} : { warnings: allWarnings })
    }
    yield* note(answer)
    const response: ReadonlyArray<AskEvent> = answered ? [] : [{ event: "delta", data: { text: answer.response } }]
    return [...response, { event: "done" as const, data: answer }]
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
    Stream.mapEffect((element) => element._tag === "Outcome" ? finish(element) : Effect.succeed(draft.add(element))),
    Stream.flattenIterable
  )
})

export const answerQuestion = Effect.fn("Asks.answer")(function*(workspaceId: WorkspaceId, request: AskRequest) {
  const events = yield* Stream.runCollect(yield* streamAnswer(workspaceId, request))
  const done = events.find(isDone)
  return done === undefined ? yield* Effect.die(NO_OUTCOME) : done.data
})
