/**
 * The bodies of failures: `{error_code, message, details}` for most, `{detail}` for validation errors, and a problem
 * document for rate limits. The tag of an error is its `error_code`.
 */
import * as Failure from "@tributary/core/model/Error"
import { Effect, Schema, SchemaTransformation } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const noDetails = Schema.Null.pipe(Schema.withConstructorDefault(Effect.succeed(null)))

const message = (text: string) => Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(text)))

/** One validation problem: its location, its type, and the input. */
export const Problem = Schema.Struct({
  /** The kind of problem, for programs. */
  type: Schema.String,
  /** The location: `path`, `query` or `body`, then field names and array indexes. */
  loc: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  /** The problem in a sentence, for people. */
  msg: Schema.String,
  /** The value that was sent. Absent if it is long or secret. */
  input: Schema.optionalKey(Schema.Json),
  /** The numbers and names in `msg`, for programs. */
  ctx: Schema.optionalKey(Schema.JsonObject)
}).annotate({ identifier: "ValidationProblem" })
export type Problem = typeof Problem.Type

/** The request is invalid; contains every problem of its path, query and body. */
export class ValidationError extends Schema.TaggedError<ValidationError>()("validation_error", {
  /** All problems, in the order of path, query and body. */
  detail: Schema.Array(Problem)
}) {}

export class MethodNotAllowedError extends Schema.TaggedError<MethodNotAllowedError>()("method_not_allowed", {
  message: message("The method is not allowed for this path."),
  details: noDetails
}) {}

export class PayloadTooLargeError extends Schema.TaggedError<PayloadTooLargeError>()("payload_too_large", {
  message: message("The request body is larger than this operation takes."),
  details: noDetails
}) {}

export class UnsupportedMediaTypeError
  extends Schema.TaggedError<UnsupportedMediaTypeError>()("unsupported_media_type", {
    message: message("The request body must be JSON, without a content encoding."),
    details: noDetails
  })
{}

export class InternalError extends Schema.TaggedError<InternalError>()("internal_server_error", {
  message: message("An unexpected error occurred."),
  details: Schema.Struct({
    /** The id of the request in the log of the service. */
    request_id: Schema.String
  })
}) {}

export class UnavailableError extends Schema.TaggedError<UnavailableError>()("service_unavailable", {
  message: message("The service is currently experiencing issues. Please try again later."),
  details: noDetails
}) {}

/** Failures whose tag is their `error_code` and whose fields are their body. */
export type Coded =
  | Failure.BadRequest
  | Failure.AuthenticationFailed
  | Failure.PermissionDenied
  | Failure.InsufficientScopes
  | Failure.QuotaExceeded
  | Failure.ConnectorNotFound
  | Failure.ConnectionNotFound
  | Failure.DocumentNotFound
  | Failure.JobNotFound
  | Failure.WebhookNotFound
  | Failure.QuestionNotFound
  | Failure.NotFound
  | Failure.Conflict
  | Failure.Unprocessable
  | MethodNotAllowedError
  | PayloadTooLargeError
  | UnsupportedMediaTypeError
  | InternalError
  | UnavailableError

/** The status of each code. */
export const STATUS = {
  bad_request: 400,
  authentication_error: 401,
  quota_exceeded: 402,
  permission_denied: 403,
  insufficient_scopes: 403,
  client_not_found: 404,
  connection_not_found: 404,
  document_not_found: 404,
  job_not_found: 404,
  webhook_not_found: 404,
  question_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable_entity: 422,
  rate_limit_exceeded: 429,
  headers_too_large: 431,
  internal_server_error: 500,
  service_unavailable: 503
} as const
export type ErrorCode = keyof typeof STATUS

/** On the wire, the tag of an error is its code. */
const coded = <S extends Schema.Constraint & { readonly fields: { readonly _tag: Schema.tag<ErrorCode> } }>(error: S) =>
  HttpApiSchema.status(STATUS[error.fields._tag.schema.literal])(
    Schema.encodeKeys<S, { readonly _tag: "error_code" }>({ _tag: "error_code" })(error)
  )

export const BadRequest = coded(Failure.BadRequest)
export const AuthenticationFailed = coded(Failure.AuthenticationFailed)
export const QuotaExceeded = coded(Failure.QuotaExceeded)
export const PermissionDenied = coded(Failure.PermissionDenied)
export const InsufficientScopes = coded(Failure.InsufficientScopes)
export const ConnectorNotFound = coded(Failure.ConnectorNotFound)
export const ConnectionNotFound = coded(Failure.ConnectionNotFound)
export const DocumentNotFound = coded(Failure.DocumentNotFound)
export const JobNotFound = coded(Failure.JobNotFound)
export const WebhookNotFound = coded(Failure.WebhookNotFound)
export const QuestionNotFound = coded(Failure.QuestionNotFound)
export const NotFound = coded(Failure.NotFound)
export const Conflict = coded(Failure.Conflict)
export const Unprocessable = coded(Failure.Unprocessable)
const PayloadTooLarge = coded(PayloadTooLargeError)
const UnsupportedMediaType = coded(UnsupportedMediaTypeError)
export const InternalServerError = coded(InternalError)
export const ServiceUnavailable = coded(UnavailableError)

export const ValidationFailed = Schema.Struct({ detail: Schema.Array(Problem) }).annotate({
  identifier: "ValidationErrorBody"
}).pipe(
  Schema.decodeTo(
    Schema.toType(ValidationError),
    SchemaTransformation.transform({
      decode: ({ detail }) => new ValidationError({ detail }),
      encode: ({ detail }) => ({ detail })
    })
  ),
  HttpApiSchema.status(422)
)

/** The body of a 429 (RFC 9457), with exactly these members. */
export const RateLimitProblem = Schema.Struct({
  /** The URL of a page that explains the error. */
  type: Schema.String,
  /** Always `Too Many Requests`. */
  title: Schema.Literal("Too Many Requests"),
  /** Always 429. */
  status: Schema.Literal(429),
  /** The operation and the seconds to wait, in a sentence. */
  detail: Schema.String,
  /** The code of the error, for programs. `/errors/{code}` explains it. */
  error_code: Schema.Literal("rate_limit_exceeded"),
  /**
   * What is exhausted: the rate window of an operation, sign-in attempts, open event streams, or refused bodies.
   */
  endpoint: Failure.LimitedEndpoint,
  /** The number of requests per window. */
  limit: Schema.Int,
  /** The number of requests left in the window. */
  remaining: Schema.Int,
  /** The length of a window, in seconds. */
  window_seconds: Schema.Int,
  /** The seconds to wait before the next request. */
  retry_after: Schema.Int
}).annotate({ identifier: "RateLimitProblem" })

type Window = Pick<typeof RateLimitProblem.Type, "endpoint" | "limit" | "remaining" | "retry_after" | "window_seconds">

/** The problem document of an exhausted window; `type` is the address of a page. */
export const rateLimitProblem = (
  { endpoint, limit, remaining, retry_after, window_seconds }: Window,
  baseUrl: string,
  reason = `The rate limit of ${endpoint} is used up.`
): typeof RateLimitProblem.Type => ({
  type: `${baseUrl}/errors/rate_limit_exceeded`,
  title: "Too Many Requests",
  status: 429,
  detail: `${reason} Retry in ${retry_after} seconds.`,
  error_code: "rate_limit_exceeded",
  endpoint,
  limit,
  remaining,
  window_seconds,
  retry_after
})

export const RateLimitExceeded = RateLimitProblem.pipe(
  Schema.decodeTo(
    Schema.toType(Failure.RateLimitExceeded),
    SchemaTransformation.transform({
      decode: ({ detail: message, endpoint, limit, remaining, retry_after, window_seconds }) =>
        new Failure.RateLimitExceeded({ endpoint, limit, remaining, retry_after, window_seconds, message }),
      encode: (error) => rateLimitProblem(error, "")
    })
  ),
  HttpApiSchema.asJson({ contentType: "application/problem+json" }),
  HttpApiSchema.status(429)
)

/** The failures of a body, apart from its content. Refused bodies are counted. */
export const bodyErrors = [RateLimitExceeded, PayloadTooLarge, UnsupportedMediaType] as const
