/** The knowledge context: settings, status, refresh, search, ask and its jobs. */
import { Answer, AnsweredAskJob, AskJob, AskJobStatus, AskRequest } from "@tributary/core/model/Ask"
import { KnowledgeSettings, KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import { KnowledgeStatus, RefreshRequest, RefreshStarted } from "@tributary/core/model/KnowledgeStatus"
import { SearchAnswer, SearchRequest } from "@tributary/core/model/Search"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Abandonable, Authorization, ForTokens, Limited, ReadsHead, RequiredScope, Validation } from "./Access.ts"
import { BodyLimit, QUESTION } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { ANSWER_EVENTS, EventStream } from "./EventStream.ts"
import * as Parameters from "./Parameters.ts"

const jobId = { job_id: Schema.String }

/** The longest wait for the end of a job. */
export const MAX_WAIT_SECONDS = 30

export class Knowledge extends HttpApiGroup.make("knowledge").add(
  HttpApiEndpoint.get("getSettings", "/settings", { success: KnowledgeSettings })
    .annotate(RequiredScope, ["knowledge:read"]).annotate(ReadsHead, true),
  HttpApiEndpoint.patch("updateSettings", "/settings", {
    payload: KnowledgeSettingsPatch,
    success: KnowledgeSettings,
    error: [ErrorBody.BadRequest, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["knowledge:write"]),
  HttpApiEndpoint.get("getStatus", "/status", { success: KnowledgeStatus })
    .annotate(RequiredScope, ["knowledge:read"]).annotate(ReadsHead, true),
  HttpApiEndpoint.post("refresh", "/refresh", {
    payload: Schema.NullOr(RefreshRequest),
    success: RefreshStarted,
    error: [ErrorBody.RateLimitExceeded, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["knowledge:write"]).annotate(Limited, "refresh"),
  HttpApiEndpoint.post("search", "/search", {
    payload: SearchRequest,
    success: SearchAnswer,
    error: [ErrorBody.BadRequest, ErrorBody.RateLimitExceeded, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, QUESTION).annotate(RequiredScope, ["knowledge:read"]).annotate(Limited, "search").annotate(
    Abandonable,
    true
  ).annotate(
    ReadsHead,
    true
  ).annotate(
    ForTokens,
    "narrowed"
  ),
  HttpApiEndpoint.post("ask", "/ask", {
    payload: AskRequest,
    success: [Answer, AskJob.pipe(HttpApiSchema.status(202))],
    error: [ErrorBody.RateLimitExceeded, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, QUESTION).annotate(RequiredScope, ["knowledge:read"]).annotate(Limited, "ask").annotate(
    Abandonable,
    true
  ).annotate(
    EventStream,
    ANSWER_EVENTS
  ).annotate(ReadsHead, true).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.get("listAskJobs", "/ask/jobs", {
    query: { ...Parameters.paging, status: Schema.optionalKey(AskJobStatus) },
    success: Schema.Struct({ jobs: Schema.Array(AskJob), next_cursor: Schema.NullOr(Schema.String) })
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.get("getAskJob", "/ask/jobs/:job_id", {
    params: jobId,
    query: { wait: Schema.optionalKey(Parameters.integer(0, MAX_WAIT_SECONDS)) },
    success: AnsweredAskJob,
    error: ErrorBody.JobNotFound
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.delete("cancelAskJob", "/ask/jobs/:job_id", {
    params: jobId,
    success: AskJob,
    error: ErrorBody.JobNotFound
  }).annotate(RequiredScope, ["knowledge:write"])
).prefix("/v1/knowledge").middleware(Validation).middleware(Authorization) {}
