/** The knowledge context: settings, status, refresh, search, ask and its jobs. */
import { Answer, AnsweredAskJob, AskJob, AskJobStatus, AskRequest } from "@tributary/core/model/Ask"
import { KnowledgeSettings, KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import { KnowledgeStatus, RefreshRequest, RefreshStarted } from "@tributary/core/model/KnowledgeStatus"
import { SearchAnswer, SearchRequest } from "@tributary/core/model/Search"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Abandonable, Authorization, Limited, RequiredScope, Validation } from "./Access.ts"
import { described } from "./Described.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { ANSWER_EVENTS, EventStream } from "./EventStream.ts"
import * as Parameters from "./Parameters.ts"

const jobId = { job_id: Schema.String }

/** The longest that a request for a job may wait for its end. */
export const MAX_WAIT_SECONDS = 30

export class Knowledge extends HttpApiGroup.make("knowledge").add(
  HttpApiEndpoint.get("getSettings", "/settings", { success: KnowledgeSettings })
    .annotateMerge(described(
      "Read the settings",
      "How far back and ahead the knowledge context goes. Before any change it is one year either way."
    ))
    .annotate(RequiredScope, ["knowledge:read"]),
  HttpApiEndpoint.patch("updateSettings", "/settings", {
    payload: KnowledgeSettingsPatch,
    success: KnowledgeSettings,
    error: [ErrorBody.BadRequest, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Change the settings",
      "A section that is absent or null stays as it is. A range replaces the present one, so it names both ends, and the context is built anew at once, even when the range is the same; `up_to_date` of the status is false before this answers. A range that starts after its end is refused with 400."
    )).annotate(RequiredScope, ["knowledge:write"]),
  HttpApiEndpoint.get("getStatus", "/status", { success: KnowledgeStatus })
    .annotateMerge(described(
      "Read the status",
      "Whether the context is built with the present settings, and what is being done about it. Poll it after a change until `up_to_date` is true."
    ))
    .annotate(RequiredScope, ["knowledge:read"]),
  HttpApiEndpoint.post("refresh", "/refresh", {
    payload: Schema.NullOr(RefreshRequest),
    success: RefreshStarted,
    error: [ErrorBody.RateLimitExceeded, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Refresh the context",
      "Brings the context up to date with new, changed and deleted documents at once, which otherwise happens by itself within seconds. The body may be left out."
    )).annotate(RequiredScope, ["knowledge:write"]).annotate(Limited, "refresh"),
  HttpApiEndpoint.post("search", "/search", {
    payload: SearchRequest,
    success: SearchAnswer,
    error: [ErrorBody.BadRequest, ErrorBody.RateLimitExceeded, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Search",
      "Finds documents in everything that the workspace stores, in or out of the context's range. A document is found from the moment that its ingest has answered. Filters that match nothing known are named in `warnings`."
    )).annotate(RequiredScope, ["knowledge:read"]).annotate(Limited, "search").annotate(Abandonable, true),
  HttpApiEndpoint.post("ask", "/ask", {
    payload: AskRequest,
    success: [Answer, AskJob.pipe(HttpApiSchema.status(202))],
    error: [ErrorBody.RateLimitExceeded, ...ErrorBody.bodyErrors]
  })
    .annotateMerge(described(
      "Ask a question",
      "Answers from the documents within the context's range, with citations that are quoted verbatim. Without evidence `answered` is false. With `async`, or the header `Prefer: respond-async`, the answer is 202 and a job to poll. With `Accept: text/event-stream` the answer is streamed."
    )).annotate(RequiredScope, ["knowledge:read"]).annotate(Limited, "ask").annotate(Abandonable, true).annotate(
      EventStream,
      ANSWER_EVENTS
    ),
  HttpApiEndpoint.get("listAskJobs", "/ask/jobs", {
    query: { ...Parameters.paging, status: Schema.optionalKey(AskJobStatus) },
    success: Schema.Struct({ jobs: Schema.Array(AskJob), next_cursor: Schema.NullOr(Schema.String) })
  })
    .annotateMerge(described(
      "List ask jobs",
      "The workspace's questions that were asked for later, newest first, without their answers. They are kept for 30 days."
    )).annotate(RequiredScope, ["knowledge:read"]),
  HttpApiEndpoint.get("getAskJob", "/ask/jobs/:job_id", {
    params: jobId,
    query: { wait: Schema.optionalKey(Parameters.integer(0, MAX_WAIT_SECONDS)) },
    success: AnsweredAskJob,
    error: ErrorBody.JobNotFound
  })
    .annotateMerge(described(
      "Read an ask job",
      "A job with its answer, once there is one."
    )).annotate(RequiredScope, ["knowledge:read"]),
  HttpApiEndpoint.delete("cancelAskJob", "/ask/jobs/:job_id", {
    params: jobId,
    success: AskJob,
    error: ErrorBody.JobNotFound
  })
    .annotateMerge(described(
      "Cancel an ask job",
      "Ends a job that is queued or running. One that has ended stays as it is."
    )).annotate(RequiredScope, ["knowledge:write"])
).prefix("/v1/knowledge").middleware(Validation).middleware(Authorization) {}
