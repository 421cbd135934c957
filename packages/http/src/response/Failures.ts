/** The response to every expected failure: status, body and headers. */
import { INVALID_CURSOR } from "@tributary/core/model/Cursor"
import * as Failure from "@tributary/core/model/Error"
import type { InvalidCursor } from "@tributary/core/model/Page"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import {
  type Coded,
  InternalError,
  type RateLimitProblem,
  rateLimitProblem,
  STATUS,
  UnavailableError,
  type ValidationError
} from "../api/ErrorBody.ts"
import { echo } from "@tributary/core/validation/Echo"
import { problemsOf } from "@tributary/core/validation/Issues"
import type { Problem } from "@tributary/core/validation/Problem"
import { rateLimitHeaders } from "../middleware/RateWindow.ts"
import { requestId } from "../middleware/RequestId.ts"
import { type RefusalCode, setCode } from "../middleware/RequestMetrics.ts"
import { headersOf } from "./Refusal.ts"

/** Failures of any operation beyond those of its definition. */
export type Common =
  | Failure.StorageUnavailable
  | Failure.Overloaded
  | Failure.InvalidConfig
  | Failure.InvalidField
  | InvalidCursor
  | ValidationError

export type Expected = Coded | Common | Failure.RateLimitExceeded

/** `{error_code, message, details}`. */
export const coded = (error: Coded, headers: Readonly<Record<string, string>> = headersOf(error._tag)) =>
  HttpServerResponse.jsonUnsafe(
    Failure.errorBody(error._tag, error.message, error.details),
    { status: STATUS[error._tag], headers }
  )

export const internalError = (request: HttpServerRequest) =>
  coded(new InternalError({ details: { request_id: requestId(request) } }))

export const noSuchPath = () => coded(new Failure.NotFound({ message: "No such path." }))

export const unavailable = (message?: string) => coded(new UnavailableError(message === undefined ? {} : { message }))

const invalid = (detail: ReadonlyArray<Problem>) => HttpServerResponse.jsonUnsafe({ detail }, { status: 422 })

const invalidField = ({ field, input, message, type }: Failure.InvalidField): Problem => ({
  type,
  loc: ["body", field],
  msg: message,
  ...echo(input)
})

// Without any input.
const invalidConfig = ({ issue, config }: Failure.InvalidConfig): ReadonlyArray<Problem> =>
  problemsOf(issue, ["body", "config"], undefined, config, { overlong: new Map(), unknown: 0 })

/** A query parameter as sent; the last of several counts. */
type Sent = string | ReadonlyArray<string> | undefined

const invalidCursor = (cursor: Sent): Problem => ({
  type: INVALID_CURSOR.type,
  loc: ["query", "cursor"],
  msg: INVALID_CURSOR.message,
  ...echo(typeof cursor === "object" ? cursor.at(-1) : cursor)
})

const tooMany = (problem: typeof RateLimitProblem.Type) =>
  HttpServerResponse.jsonUnsafe(problem, {
    status: 429,
    contentType: "application/problem+json",
    headers: {
      "retry-after": String(problem.retry_after),
      ...rateLimitHeaders({ ...problem, reset: problem.retry_after })
    }
  })

/** The code in a workspace's usage; validation errors have no code in their body. */
const codeOf = (error: Expected): RefusalCode => {
  switch (error._tag) {
    case "InvalidConfig":
    case "InvalidField":
    case "InvalidCursor":
    case "validation_error":
      return "validation_error"
    case "Overloaded":
    case "StorageUnavailable":
      return "service_unavailable"
    default:
      return error._tag
  }
}

/** The response to a failure. `cursor` is the one of the request, if the operation has one. */
export const respondTo = (
  error: Expected,
  request: HttpServerRequest,
  baseUrl: string,
  cursor: Sent
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  setCode(request, codeOf(error))
  switch (error._tag) {
    case "validation_error":
      return Effect.succeed(invalid(error.detail))
    case "InvalidConfig":
      return Effect.succeed(invalid(invalidConfig(error)))
    case "InvalidField":
      return Effect.succeed(invalid([invalidField(error)]))
    case "InvalidCursor":
      return Effect.succeed(invalid([invalidCursor(cursor)]))
    case "rate_limit_exceeded":
      return Effect.succeed(tooMany(rateLimitProblem(error, baseUrl, error.message || undefined)))
    case "Overloaded":
      return Effect.succeed(unavailable(error.message))
    case "StorageUnavailable":
      return Effect.logError("storage is unavailable", error.cause).pipe(
        Effect.annotateLogs("request_id", requestId(request)),
        Effect.as(unavailable())
      )
    default:
      return Effect.succeed(coded(error))
  }
}
