/** The knowledge context: settings, status, refresh, search, ask and its jobs. */
import { Answer, AnsweredAskJob, AskJob, AskJobStatus, AskRequest } from "@tributary/core/model/Ask"
import { KnowledgeSettings, KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import { KnowledgeStatus, RefreshRequest, RefreshStarted } from "@tributary/core/model/KnowledgeStatus"
import { nextPage } from "@tributary/core/model/Page"
import { SearchAnswer, SearchRequest } from "@tributary/core/model/Search"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Abandonable, Authorization, Limited, ReadsHead, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import { BodyLimit, QUESTION } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { ANSWER_EVENTS, StreamedEvents } from "./StreamedEvents.ts"
import * as Parameters from "./Parameters.ts"

const jobId = { job_id: Schema.String }

/** The longest wait for the end of a job. */
export const MAX_WAIT_SECONDS = 30

export class Knowledge extends HttpApiGroup.make("knowledge").add(
  /**
   * Read the settings. The time range that the knowledge context covers. The default is one year before and after
   * today.
   */
  HttpApiEndpoint.get("getSettings", "/settings", { success: KnowledgeSettings })
    .annotate(RequiredScope, ["knowledge:read"]).annotate(ReadsHead, true),
  /**
   * Change the settings. A section that is absent or null stays unchanged. A new range replaces the old one, so it
   * needs both ends. It starts a rebuild of the context at once, even if the range is the same; `up_to_date` of the
   * status is false before this answers. A range that starts after its end is refused with 400.
   */
  HttpApiEndpoint.patch("updateSettings", "/settings", {
    payload: KnowledgeSettingsPatch,
    success: KnowledgeSettings,
    error: [ErrorBody.BadRequest, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["knowledge:write"]),
  /**
   * Read the status. Whether the context is built with the current settings, and the progress of a running build. Poll
   * it after a change until `up_to_date` is true.
   */
  HttpApiEndpoint.get("getStatus", "/status", { success: KnowledgeStatus })
    .annotate(RequiredScope, ["knowledge:read"]).annotate(ReadsHead, true),
  /**
   * Refresh the context. Brings the context up to date with new, changed and deleted documents at once, which otherwise
   * happens by itself within seconds. The body is optional.
   */
  HttpApiEndpoint.post("refresh", "/refresh", {
    payload: Schema.NullOr(RefreshRequest),
    success: RefreshStarted,
    error: [...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["knowledge:write"]).annotate(Limited, "refresh"),
  /**
   * Search. Searches all documents of the workspace, inside and outside the range of the context. A document can be
   * found as soon as its ingest has answered. Filters that match nothing are named in `warnings`.
   */
  HttpApiEndpoint.post("search", "/search", {
    payload: SearchRequest,
    success: SearchAnswer,
    error: [ErrorBody.BadRequest, ...ErrorBody.bodyErrors]
  })
    .annotate(BodyLimit, QUESTION)
    .annotate(RequiredScope, ["knowledge:read"])
    .annotate(Limited, "search")
    .annotate(Abandonable, true)
    .annotate(ReadsHead, true)
    .annotate(TokenAccess, "filtered"),
  /**
   * Ask a question. Answers from the documents within the range of the context, with verbatim quotes as citations.
   * Without sufficient evidence `answered` is false. With `async`, or the header `Prefer: respond-async`, the response
   * is 202 with a job to poll. With `Accept: text/event-stream` the answer is streamed.
   */
  HttpApiEndpoint.post("ask", "/ask", {
    payload: AskRequest,
    success: [Answer, AskJob.pipe(HttpApiSchema.status(202))],
    error: [...ErrorBody.bodyErrors]
  })
    .annotate(BodyLimit, QUESTION)
    .annotate(RequiredScope, ["knowledge:read"])
    .annotate(Limited, "ask")
    .annotate(Abandonable, true)
    .annotate(StreamedEvents, ANSWER_EVENTS)
    .annotate(ReadsHead, true)
    .annotate(TokenAccess, "filtered"),
  /**
   * List ask jobs. The questions of the workspace that were asked asynchronously, newest first, without their answers.
   * Jobs are kept for 30 days.
   */
  HttpApiEndpoint.get("listAskJobs", "/ask/jobs", {
    query: {
      ...Parameters.paging,
      /** Only entries with this status. */
      status: Schema.optionalKey(AskJobStatus)
    },
    success: Schema.Struct({
      /** The jobs, newest first, without their answers. */
      jobs: Schema.Array(AskJob),
      ...nextPage
    })
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(TokenAccess, "filtered"),
  /** Read an ask job. A job with its answer, once it is finished. */
  HttpApiEndpoint.get("getAskJob", "/ask/jobs/:job_id", {
    params: jobId,
    query: {
      /**
       * The seconds to wait for the end of the job before answering.
       * @default 0
       */
      wait: Schema.optionalKey(Parameters.integer(0, MAX_WAIT_SECONDS))
    },
    success: AnsweredAskJob,
    error: ErrorBody.JobNotFound
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(TokenAccess, "filtered"),
  /** Cancel an ask job. Cancels a job that is queued or running. A job that has ended stays unchanged. */
  HttpApiEndpoint.delete("cancelAskJob", "/ask/jobs/:job_id", {
    params: jobId,
    success: AskJob,
    error: ErrorBody.JobNotFound
  }).annotate(RequiredScope, ["knowledge:write"])
).prefix("/v1/knowledge").middleware(Validation).middleware(Authorization) {}
