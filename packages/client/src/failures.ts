/** Turns what a call of the Effect face fails with into what a call of the Promise face rejects with. */
import { MISSING, UNEXPECTED } from "@tributary/core/model/Violation"
import * as Body from "@tributary/http/api/ErrorBody"
import { Cause, Option, Schema, SchemaIssue } from "effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type { LastResponse } from "./transport/RequestContext.ts"
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

/** The body of an error: of a request's form, of a spent window, or as of all others, also of later releases. */
const Refusal = Schema.Union([
  Body.ValidationFailed,
  Body.RateLimitExceeded,
  Schema.Struct({ error_code: Schema.String, message: Schema.String, details: Schema.Unknown })
])

type Refusal = typeof Refusal.Type | Body.Coded

const refusalIn = Schema.decodeUnknownOption(Refusal)

const isDeclared = (error: unknown): error is Extract<Refusal, Error> =>
  error instanceof Error && "_tag" in error && typeof error._tag === "string" &&
  (error._tag === "validation_error" || Object.hasOwn(Body.STATUS, error._tag))

const statusOf = ({ code, status }: About) =>
  Object.hasOwn(Body.STATUS, code) ? Body.STATUS[code as Body.ErrorCode] : status

/** The class is that of the code's status; of a code that this release does not know, that of the answer's. */
const withClass = (about: About): TributaryError => {
  switch (statusOf(about)) {
    case 401:
      return new AuthenticationError(about)
    case 402:
      return new QuotaError(about)
    case 403:
      return new PermissionError(about)
    case 404:
      return new NotFoundError(about)
    case 429:
      return new RateLimitError(about)
    case 503:
      return new UnavailableError(about)
    default:
      return new TributaryError(about)
  }
}

const refused = (
  refusal: Refusal,
  { requestId, retryAfter, status }: LastResponse,
  cause: unknown,
  place = ""
): TributaryError => {
  const about = { status, requestId, retryAfter, cause }
  if ("detail" in refusal) return new ValidationError({ ...about, code: "validation_error" }, refusal.detail)
  const message = place + refusal.message
  if ("endpoint" in refusal) {
    const { _tag: code, endpoint, limit, remaining, retry_after, window_seconds } = refusal
    const details = { endpoint, limit, remaining, window_seconds, retry_after }
    return withClass({ ...about, code, message, details, retryAfter: retry_after })
  }
  const code = "_tag" in refusal ? refusal._tag : refusal.error_code
  return withClass({ ...about, code, message, details: refusal.details })
}

const CODES: ReadonlyMap<number | null, Body.ErrorCode> = new Map([
  [413, "payload_too_large"],
  [429, "rate_limit_exceeded"],
  [502, "service_unavailable"],
  [503, "service_unavailable"],
  [504, "service_unavailable"]
])

/** The answer of a proxy, or of another address. */
const foreign = ({ requestId, retryAfter, status, url }: LastResponse, cause: unknown): TributaryError => {
  const message = `The answer of ${url} is not one of the service (status ${status}).`
  const about = { message, status, requestId, retryAfter, cause }
  const code = CODES.get(status)
  return code === undefined
    ? new TributaryError({ ...about, code: "unexpected_answer" })
    : withClass({ ...about, code })
}

/** The error in an answer that no operation decodes; `place` begins its message. */
export const errorIn = (
  body: unknown,
  lastResponse: LastResponse,
  cause?: unknown,
  place?: string
): TributaryError =>
  Option.match(refusalIn(body), {
    onNone: () => foreign(lastResponse, cause),
    onSome: (refusal) => refused(refusal, lastResponse, cause, place)
  })

/** An answer that the operation does not declare. */
const unexpected = (lastResponse: LastResponse, cause: unknown): TributaryError =>
  errorIn(lastResponse.refusal, lastResponse, cause, `${lastResponse.url}: `)

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
export const countedFrom = (before: number, loc: Body.Problem["loc"]): Body.Problem["loc"] => {
  const at = loc[0] === "body" ? 1 : 0
  const index = loc[at + 1]
  return loc[at] === "items" && typeof index === "number" ? loc.with(at + 1, before + index) : loc
}

/** The same, and what is wrong with it is known; `before` is the number of items before it in other requests. */
export const invalidRequest = (cause: Schema.SchemaError, before = 0): ValidationError => {
  const problems = problemsOf(cause.issue).issues.map(({ message, path = [] }): Body.Problem => ({
    type: "value_error",
    loc: countedFrom(
      before,
      path.map((step) => typeof step === "object" ? String(step.key) : typeof step === "number" ? step : String(step))
    ),
    msg: message
  }))
  return new ValidationError({ code: "invalid_request", cause }, problems)
}

export const toTributaryError = (cause: Cause.Cause<unknown>, lastResponse: LastResponse): unknown => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (error instanceof TributaryError) return error
  if (error instanceof CallerError) return error.thrown
  if (isDeclared(error)) return refused(error, lastResponse, error)
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
