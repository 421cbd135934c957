/** Answers the question of a job. */
import { Effect } from "effect"
import type { Attempt } from "../jobs/runJob.ts"
import { QuestionId } from "../model/Id.ts"
import { OPERATOR } from "../model/Principal.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { queueAnnouncement } from "../webhooks/run/announceAsk.ts"
import { answerQuestion } from "./answerQuestion.ts"
import { readRequest, writeAnswer } from "./askJobs.ts"
import { CurrentAsker } from "./Questions.ts"

export const answerJob = Effect.fnUntraced(function*({ job }: Attempt) {
  yield* Effect.ignore(queueAnnouncement(job, job.deadline_seconds))
  const { principal = OPERATOR, shown = null, ...request } = yield* Effect.orDie(readRequest(job.payload))
  // A retried attempt logs the same question.
  const asker = { principal, question_id: QuestionId.make(job.job_id) }
  const answer = yield* answerQuestion(job.workspace_id, request).pipe(
    Effect.provideService(CurrentAsker, asker),
    Effect.provideService(CurrentTokenFilter, shown),
    Effect.onError(() => Effect.ignore(queueAnnouncement(job)))
  )
  yield* queueAnnouncement(job)
  return yield* Effect.orDie(writeAnswer(answer))
})
