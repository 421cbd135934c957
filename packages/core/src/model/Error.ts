/** Every expected failure. The tag is the `error_code` of the API. */
import { Effect, Schema, SchemaIssue } from "effect"
import { LimitedOperation } from "./Plan.ts"
import { FineScope } from "./Scope.ts"

/** The body of an error of the API, except validation errors and rate limits. */
export const errorBody = (code: string, message: string, details: Schema.JsonObject | null = null) => ({
  error_code: code,
  message,
  details
})

const NoDetails = Schema.Null.pipe(Schema.withConstructorDefault(Effect.succeed(null)))

const message = (text: string) => Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(text)))

/** The request is well-formed, but cannot be carried out. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("bad_request", {
  message: Schema.String,
  details: Schema.NullOr(Schema.JsonObject).pipe(Schema.withConstructorDefault(Effect.succeed(null)))
}) {}

export class AuthenticationFailed extends Schema.TaggedError<AuthenticationFailed>()("authentication_error", {
  message: message("Invalid or missing credentials."),
  details: NoDetails
}) {}

export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("permission_denied", {
  message: message("You do not have permission to perform this action."),
  details: NoDetails
}) {}

export const workspaceSuspended = () =>
  new PermissionDenied({
    message: "The workspace is suspended: nothing is answered, pulled or sent until its operator lifts the suspension."
  })

export class InsufficientScopes extends Schema.TaggedError<InsufficientScopes>()("insufficient_scopes", {
  message: message("These credentials lack a scope that the operation requires."),
  details: Schema.Struct({
    /** The scopes that the key lacks. */
    missing_scopes: Schema.Array(FineScope)
  })
}) {}

/** An item that was rejected, and the cap that it exceeds. */
export const RejectedItem = Schema.Struct({
  /** The id that the client chose, or a generated one. */
  external_id: Schema.String,
  /** The cap that was exceeded. */
  resource: Schema.Literals(["documents", "storage", "doc_size"]),
  /** Always `quota_exceeded`. */
  reason: Schema.Literal("quota_exceeded")
})
export type RejectedItem = typeof RejectedItem.Type

/** Nothing of the request fits under the plan's caps, and nothing was stored. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("quota_exceeded", {
  message: message(
    "Ingest rejected: this workspace is over its plan quota. Upgrade or free space to continue."
  ),
  details: Schema.Struct({
    /** The items, each with the cap that it would break. */
    rejected: Schema.Array(RejectedItem)
  })
}) {}

/** The API's code for an unknown connector. */
export class ConnectorNotFound extends Schema.TaggedError<ConnectorNotFound>()("client_not_found", {
  message: message("No such custom connector in this workspace."),
  details: NoDetails
}) {}

export class ConnectionNotFound extends Schema.TaggedError<ConnectionNotFound>()("connection_not_found", {
  message: message("No such connection in this workspace, or no such resource in it."),
  details: NoDetails
}) {}

/** The provider refuses the configuration of a connection. Reported as a validation error. */
export class InvalidConfig extends Schema.TaggedError<InvalidConfig>()("InvalidConfig", {
  issue: Schema.declare<SchemaIssue.Issue>((value): value is SchemaIssue.Issue => SchemaIssue.isIssue(value)),
  /** The configuration with its secrets: never report it. */
  config: Schema.JsonObject
}) {}

export class DocumentNotFound extends Schema.TaggedError<DocumentNotFound>()("document_not_found", {
  message: message("No such document in this workspace."),
  details: NoDetails
}) {}

export class JobNotFound extends Schema.TaggedError<JobNotFound>()("job_not_found", {
  message: message("No such ask job in this workspace."),
  details: NoDetails
}) {}

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("webhook_not_found", {
  message: message("No such webhook in this workspace, or no such delivery of it."),
  details: NoDetails
}) {}

export class QuestionNotFound extends Schema.TaggedError<QuestionNotFound>()("question_not_found", {
  message: message("No such question in this workspace."),
  details: NoDetails
}) {}

/** Something that a caller named does not exist; the message says what. */
export class NotFound extends Schema.TaggedError<NotFound>()("not_found", {
  message: Schema.String,
  details: NoDetails
}) {}

/** What the caller confirmed is no longer true. */
export class Conflict extends Schema.TaggedError<Conflict>()("conflict", {
  message: Schema.String,
  details: Schema.Struct({
    /** The current number of matches. Null: more than 10,000. */
    total: Schema.NullOr(Schema.Int)
  })
}) {}

/** Valid, but against a business rule: a name is in use, or an allowance is used up. */
export class Unprocessable extends Schema.TaggedError<Unprocessable>()("unprocessable_entity", {
  message: Schema.String,
  details: NoDetails
}) {}

/** A field breaks a rule beyond its schema. Reported as a validation error with this message. */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  field: Schema.String,
  /** Undefined for one that the answer leaves out. */
  input: Schema.UndefinedOr(Schema.Json),
  type: Schema.String,
  message: Schema.String
}) {}

/**
 * What a rate limit applies to: an operation of a workspace, changes of documents, failed sign-ins, open event streams,
 * or refused bodies.
 */
export const LimitedEndpoint = Schema.Literals([
  ...LimitedOperation.literals,
  "ingest",
  "sign_in",
  "event_streams",
  "refused_bodies"
])

/** Too many requests, changes, failed sign-ins, open streams or refused bodies. All times in whole seconds. */
export class RateLimitExceeded extends Schema.TaggedError<RateLimitExceeded>()("rate_limit_exceeded", {
  endpoint: LimitedEndpoint,
  limit: Schema.Int,
  remaining: Schema.Int,
  window_seconds: Schema.Int,
  retry_after: Schema.Int,
  /** What there is too much of, in a sentence; absent for a rate window. */
  message: Schema.optionalKey(Schema.String)
}) {}

/** The only failure of a backend: it cannot answer now, and may later. */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  cause: Schema.Defect()
}) {}

/** Too much is waiting; try again later. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  message: Schema.String
}) {}
