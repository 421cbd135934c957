/**
 * The errors of the promise client. There is a base class, and a subclass for each kind of error that programs handle
 * differently; `code` is the API's error code, `cause` the decoded error.
 */
import type { InsufficientScopes, QuotaExceeded, RejectedItem } from "@tributary/core/model/Error"
import type { ErrorCode, Problem } from "@tributary/http/api/ErrorBody"

/** Codes of the service, and those that the client gives itself. */
export type Code =
  | ErrorCode
  | "validation_error"
  | "network_error"
  | "timeout"
  | "unexpected_answer"
  | "invalid_request"
  | "build_failed"
  | "closed"

export interface About {
  readonly code: Code | (string & {})
  readonly message: string
  /** The HTTP status; null when there was no answer, as by default. */
  readonly status?: number | null
  readonly details?: unknown
  /** Names the request in the service's log. */
  readonly requestId?: string | null
  /** The seconds of `Retry-After`. */
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

const RETRYABLE = new Set(["rate_limit_exceeded", "service_unavailable", "network_error", "timeout"])
/** Of any code, also of one of a later release. */
const RETRYABLE_STATUSES = new Set<number | null>([429, 503])

export class TributaryError extends Error {
  override readonly name: string = "TributaryError"
  readonly code: Code | (string & {})
  readonly status: number | null
  readonly details: unknown
  readonly requestId: string | null
  readonly retryAfter: number | null
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  constructor({ cause, code, details = null, message, requestId = null, retryAfter = null, status = null }: About) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.retryable = RETRYABLE.has(code) || RETRYABLE_STATUSES.has(status)
  }
}

const sentenceOf = ({ loc, msg }: Problem): string => loc.length === 0 ? msg : `${loc.join(".")}: ${msg}`

/**
 * The request has the wrong form, and this is everything that is wrong with it. 422, or no status where it could not even
 * be written down.
 */
export class ValidationError extends TributaryError {
  override readonly name = "ValidationError"
  readonly problems: ReadonlyArray<Problem>
  constructor(about: Omit<About, "details" | "message">, problems: ReadonlyArray<Problem>) {
    super({ ...about, message: problems.map(sentenceOf).join("; "), details: problems })
    this.problems = problems
  }
}

/** 401: no key, or one that is unknown, revoked or expired. */
export class AuthenticationError extends TributaryError {
  override readonly name = "AuthenticationError"
}

/** 403: the key may not do this. */
export class PermissionError extends TributaryError {
  override readonly name = "PermissionError"
  readonly missingScopes: InsufficientScopes["details"]["missing_scopes"]
  constructor(about: About) {
    super(about)
    const { missing_scopes = [] } = (about.details ?? {}) as Partial<InsufficientScopes["details"]>
    this.missingScopes = missing_scopes
  }
}

/** 402: nothing of what was sent fits under the plan. */
export class QuotaError extends TributaryError {
  override readonly name = "QuotaError"
  readonly rejected: ReadonlyArray<RejectedItem>
  constructor(about: About) {
    super(about)
    const { rejected = [] } = (about.details ?? {}) as Partial<QuotaExceeded["details"]>
    this.rejected = rejected
  }
}

/** 404: there is no such connector, document, job, workspace or key. */
export class NotFoundError extends TributaryError {
  override readonly name = "NotFoundError"
}

/** 429, after all attempts; `retryAfter` says when there is room again. */
export class RateLimitError extends TributaryError {
  override readonly name = "RateLimitError"
}

/** 503, or a gateway's 502 or 504, after all attempts. */
export class UnavailableError extends TributaryError {
  override readonly name = "UnavailableError"
}

/** No answer came: no connection, a lost one, or none in time (`code` is then `timeout`). */
export class ConnectionError extends TributaryError {
  override readonly name = "ConnectionError"
}
