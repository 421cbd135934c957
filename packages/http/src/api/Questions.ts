/** The log of questions, and feedback on answers. */
import { QuestionId } from "@tributary/core/model/Id"
import { NewFeedback, Question } from "@tributary/core/model/Question"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Authorization, ForTokens, RequiredScope, Validation } from "./Access.ts"
import * as ErrorBody from "./ErrorBody.ts"
import * as Parameters from "./Parameters.ts"

const deleted = Schema.Literal("deleted")
const ofQuestion = { question_id: Schema.String }

export class Questions extends HttpApiGroup.make("questions").add(
  HttpApiEndpoint.get("listQuestions", "/questions", {
    query: { ...Parameters.paging, answered: Schema.optionalKey(Parameters.boolean) },
    success: Schema.Struct({ questions: Schema.Array(Question), next_cursor: Schema.NullOr(Schema.String) })
  }).annotate(RequiredScope, ["knowledge:read"]),
  // A caller that may ask may also rate the answer.
  HttpApiEndpoint.post("rateQuestion", "/questions/:question_id/feedback", {
    params: ofQuestion,
    payload: NewFeedback,
    success: Question,
    error: [ErrorBody.QuestionNotFound, ...ErrorBody.bodyErrors]
  }).annotate(RequiredScope, ["knowledge:read"]).annotate(ForTokens, "narrowed"),
  HttpApiEndpoint.delete("deleteQuestions", "/questions", {
    query: { before: Schema.optionalKey(ClientTimestamp) },
    success: Schema.Struct({ status: deleted, questions_deleted: Schema.Int })
  }).annotate(RequiredScope, ["knowledge:write"]),
  HttpApiEndpoint.delete("deleteQuestion", "/questions/:question_id", {
    params: ofQuestion,
    success: Schema.Struct({ status: deleted, question_id: QuestionId }),
    error: ErrorBody.QuestionNotFound
  }).annotate(RequiredScope, ["knowledge:write"])
).prefix("/v1/knowledge").middleware(Validation).middleware(Authorization) {}
