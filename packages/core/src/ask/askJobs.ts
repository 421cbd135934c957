/** Questions answered by a job, and their public form. */
import { Duration, Schema } from "effect"
import { Answer, type AnsweredAskJob, type AskJob, AskRequest } from "../model/Ask.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Principal } from "../model/Principal.ts"
import { TokenFilter } from "../model/Token.ts"
import type { Job, NewJob } from "../ports/JobStore.ts"
import { newJob } from "../jobs/newJob.ts"

export const ASK_QUEUE = "ask"

/** An answer takes at most this long, asked for at once or by a job; an answerer of the host may never end. */
export const ANSWER_TIMEOUT = Duration.minutes(10)

/** The most questions that wait in one workspace. */
export const MAX_WAITING = 1_000

/** Jobs of earlier releases do not name their principal; `shown` is the filter of the token that asked. */
const Request = Schema.fromJsonString(
  Schema.Struct({
    ...AskRequest.fields,
    principal: Schema.optionalKey(Principal),
    shown: Schema.optionalKey(TokenFilter)
  })
)
const Result = Schema.fromJsonString(Answer)

export const readRequest = Schema.decodeEffect(Request)
export const writeAnswer = Schema.encodeEffect(Result)

export const askJob = (
  workspaceId: WorkspaceId,
  request: AskRequest,
  principal: Principal,
  shown: TokenFilter | null,
  now: number
): NewJob =>
  newJob(workspaceId, now, {
    queue: ASK_QUEUE,
    payload: Schema.encodeSync(Request)({ ...request, principal, ...shown && { shown } }),
    max_attempts: 3,
    deadline_seconds: Duration.toSeconds(ANSWER_TIMEOUT),
    joins: false
  })

/** The one with a filter sees what was asked under the same filter by the same key. */
export const isVisible = ({ payload }: Job, principal: Principal, shown: TokenFilter | null): boolean => {
  if (shown === null) return true
  const asked = Schema.decodeSync(Request)(payload)
  return asked.principal?.id === principal.id && JSON.stringify(asked.shown) === JSON.stringify(shown)
}

export const describe = (job: Job): AskJob => ({
  job_id: job.job_id,
  status: job.status,
  query: Schema.decodeSync(Request)(job.payload).query,
  created_at: job.created_at,
  started_at: job.started_at,
  finished_at: job.finished_at,
  attempt: job.attempt,
  // The error of an attempt that will be retried is of no use to the caller.
  error: job.status === "failed" ? job.error : null
})

export const describeAnswered = (job: Job): AnsweredAskJob => ({
  ...describe(job),
  result: job.result === null ? null : Schema.decodeSync(Result)(job.result)
})
