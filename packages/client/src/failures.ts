/** Turns what a call of the Effect face fails with into what a call of the Promise face rejects with. */
import type { RateLimitExceeded } from "@tributary/core/model/Error"
import { MISSING, UNEXPECTED } from "@tributary/core/model/Violation"
import {
  type Coded,
  type ErrorCode,
  type Problem,
  STATUS,
  type ValidationError as InvalidForm
} from "@tributary/http/api/ErrorBody"
import { Cause, Option, Schema, SchemaIssue } from "effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type { LastResponse } from "./transport/LastResponse.ts"
import { CallerError } from "./CallerError.ts"
import {
  type About,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  TributaryError,
  UnavailableError,
  ValidationError
} from "./TributaryError.ts"

/** Every failure that the definition declares. */
type Declared = Coded | RateLimitExceeded | InvalidForm

const isDeclared = (error: unknown): error is Declared =>
  error instanceof Error && "_tag" in error && typeof error._tag === "string" &&
  (error._tag === "validation_error" || Object.hasOwn(STATUS, error._tag))

const summary = (problems: ReadonlyArray<Problem>): string =>
  problems.map(({ loc, msg }) => [...loc.length === 0 ? [] : [loc.join(".")], msg].join(": ")).join("; ")

const declared = (error: Declared, lastResponse: LastResponse): TributaryError => {
  const about: About = {
    code: error._tag,
    message: error.message,
    status: lastResponse.status,
    details: "details" in error ? error.details : null,
    requestId: lastResponse.requestId,
    retryAfter: lastResponse.retryAfter,
    cause: error
  }
  switch (error._tag) {
    case "validation_error":
      return new ValidationError({ ...about, message: summary(error.detail), details: error.detail }, error.detail)
    case "authentication_error":
      return new AuthenticationError(about)
    case "permission_denied":
      return new PermissionError(about, [])
    case "insufficient_scopes":
      return new PermissionError(about, error.details.missing_scopes)
    case "quota_exceeded":
      return new QuotaError(about, error)
    case "rate_limit_exceeded": {
      const { endpoint, limit, remaining, retry_after, window_seconds } = error
      const details = { endpoint, limit, remaining, window_seconds, retry_after }
      return new RateLimitError({ ...about, details, retryAfter: retry_after })
    }
    case "service_unavailable":
      return new UnavailableError(about)
    default:
      return STATUS[error._tag] === 404 ? new NotFoundError(about) : new TributaryError(about)
  }
}

const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [413, "payload_too_large"],
  [429, "rate_limit_exceeded"],
  [502, "service_unavailable"],
  [503, "service_unavailable"],
  [504, "service_unavailable"]
])

/** The form of the service's errors, of whatever operation and release. */
const Refusal = Schema.Struct({ error_code: Schema.String, message: Schema.String, details: Schema.Unknown })

const refusalIn = Schema.decodeUnknownOption(Refusal)

/**
 * An answer that the operation does not declare: an error of the service nevertheless, or else an answer of a proxy or
 * of another address.
 */
const unexpected = ({ refusal, requestId, retryAfter, status, url }: LastResponse, cause: unknown): TributaryError => {
  const { details, error_code, message } = Option.getOrElse(refusalIn(refusal), () => ({
    details: null,
    error_code: CODES.get(status ?? 0) ?? "unexpected_answer",
    message: null
  }))
  const about = {
    code: error_code,
    message: message === null
      ? `The answer of ${url} is not one of the service (status ${status}).`
      : `${url}: ${message}`,
    details,
    status,
    requestId,
    retryAfter,
    cause
  }
  switch (error_code) {
    case "service_unavailable":
      return new UnavailableError(about)
    case "rate_limit_exceeded":
      return new RateLimitError(about)
    case "not_found":
      return new NotFoundError(about)
    default:
      return new TributaryError(about)
  }
}

/** The innermost message is the most helpful: `fetch failed` alone helps nobody. */
const wordsOf = (cause: unknown): string | undefined =>
  cause instanceof Error ? wordsOf(cause.cause) ?? (cause.message || undefined) : undefined

const connectionError = ({ reason }: HttpClientError.HttpClientError): TributaryError => {
  if (reason._tag === "TransportError" && reason.cause instanceof TributaryError) return reason.cause
  const timedOut = reason._tag === "TransportError" && Cause.isTimeoutError(reason.cause)
  const code = timedOut ? "timeout" : "network_error"
  const { cause, description } = reason as { readonly cause?: unknown; readonly description?: string }
  const words = (timedOut ? description : wordsOf(cause)) ?? description ?? "no connection"
  return new ConnectionError({
    code,
    message: `${reason.request.method} ${reason.request.url}: ${words}`,
    cause
  })
}

/** The request could not even be written down. */
const unserializable = (cause: Error): TributaryError =>
  new TributaryError({ code: "invalid_request", message: cause.message, cause })

const problemsOf = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey"
      ? UNEXPECTED.message
      : issue._tag === "MissingKey"
      ? MISSING.message
      : SchemaIssue.defaultLeafHook(issue)
})

/** Numbers an item as in the whole list, not in its batch; the service's own locations begin with `body`. */
export const countedFrom = (before: number, loc: Problem["loc"]): Problem["loc"] => {
  const at = loc[0] === "body" ? 1 : 0
  const index = loc[at + 1]
  return loc[at] === "items" && typeof index === "number" ? loc.with(at + 1, before + index) : loc
}

/** The same, and what is wrong with it is known; `before` is the number of items before it in other requests. */
export const invalidRequest = (cause: Schema.SchemaError, before = 0): ValidationError => {
  const problems = problemsOf(cause.issue).issues.map(({ message, path = [] }): Problem => ({
    type: "value_error",
    loc: countedFrom(
      before,
      path.map((step) => typeof step === "object" ? String(step.key) : typeof step === "number" ? step : String(step))
    ),
    msg: message
  }))
  return new ValidationError(
    { code: "invalid_request", message: summary(problems), details: problems, cause },
    problems
  )
}

export const toTributaryError = (cause: Cause.Cause<unknown>, lastResponse: LastResponse): unknown => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error instanceof TributaryError) return error
  if (error instanceof CallerError) return error.thrown
  if (isDeclared(error)) return declared(error, lastResponse)
  if (HttpClientError.isHttpClientError(error)) {
    return error.reason._tag === "TransportError" || error.reason._tag === "InvalidUrlError"
      ? connectionError(error)
      : unexpected(lastResponse, error)
  }
  if (Schema.isSchemaError(error)) {
    return lastResponse.status === null
      ? invalidRequest(error)
      : unexpected(lastResponse, error)
  }
  const squashed = Cause.squash(cause)
  return lastResponse.status === null && squashed instanceof Error ? unserializable(squashed) : squashed
}
