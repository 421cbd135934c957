/** The log of questions, and feedback on answers. */
import { QuestionId } from "@tributary/core/model/Id"
import { nextPage } from "@tributary/core/model/Page"
import { NewFeedback, Question } from "@tributary/core/model/Question"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, RequiredScope, TokenAccess, Validation } from "./Access.ts"
import { BodyLimit, COMMENT } from "./BodyLimit.ts"
import * as ErrorBody from "./ErrorBody.ts"
import { outcome } from "./Outcome.ts"
import * as Parameters from "./Parameters.ts"

const ofQuestion = { question_id: Schema.String }

export class Questions extends HttpApiGroup.make("questions").add(
  /**
   * List questions. The questions of the last 30 days that got a response, newest first, with their feedback.
   * `answered=false` lists only those without sufficient evidence.
   */
  HttpApiEndpoint.get("listQuestions", "/questions", {
    query: {
      ...Parameters.paging,
      /** Only questions that were answered, or only those that were not. */
      answered: Schema.optionalKey(Parameters.boolean)
    },
    success: Schema.Struct({
      /** The questions, newest first. */
      questions: Schema.Array(Question),
      ...nextPage
    })
  }).annotate(RequiredScope, ["knowledge:read"]),
  // A caller that may ask may also rate the answer.
  /**
   * Give feedback. Whether an answer was useful. New feedback replaces the old one. A token with a filter can rate only
   * questions that were asked with the same key and filter.
   */
  HttpApiEndpoint.post("rateQuestion", "/questions/:question_id/feedback", {
    params: ofQuestion,
    payload: NewFeedback,
    success: Question,
    error: [ErrorBody.QuestionNotFound, ...ErrorBody.bodyErrors]
  }).annotate(BodyLimit, COMMENT).annotate(RequiredScope, ["knowledge:read"]).annotate(TokenAccess, "filtered"),
  /** Delete questions. All questions of the workspace, or those that were asked before a time. Ask jobs stay. */
  HttpApiEndpoint.delete("deleteQuestions", "/questions", {
    query: {
      /** Only questions that were asked before this time. */
      before: Schema.optionalKey(ClientTimestamp)
    },
    success: Schema.Struct({
      ...outcome("deleted"),
      /** The number of deleted questions. */
      questions_deleted: Schema.Int
    })
  }).annotate(RequiredScope, ["knowledge:write"]),
  /** Delete a question. With its feedback. */
  HttpApiEndpoint.delete("deleteQuestion", "/questions/:question_id", {
    params: ofQuestion,
    success: Schema.Struct({ ...outcome("deleted"), question_id: QuestionId }),
    error: ErrorBody.QuestionNotFound
  }).annotate(RequiredScope, ["knowledge:write"])
).prefix("/v1/knowledge").middleware(Validation).middleware(Authorization) {}
