/** The error of a request, with the service's message and details. */
import type { RejectedItem } from "@tributary/core/model/Error"

interface Problem {
  readonly loc: ReadonlyArray<string | number>
  readonly msg: string
}

interface About {
  readonly code: string
  readonly message: string
  /** Null when there was no answer. */
  readonly status: number | null
  /** Names the request in the service's log. */
  readonly requestId: string | null
  /** The seconds of `Retry-After`. */
  readonly retryAfter?: number | null
  /** Everything that is wrong with the form of the request. */
  readonly problems?: ReadonlyArray<Problem>
  /** What did not fit under the plan. */
  readonly rejected?: ReadonlyArray<RejectedItem>
  readonly cause?: unknown
}

const PASSING = new Set(["rate_limit_exceeded", "service_unavailable", "network_error", "timeout"])

/** Whether the same request may succeed later. */
export const isPassing = (error: unknown): boolean => error instanceof ApiError && PASSING.has(error.code)

export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly code: string
  readonly status: number | null
  readonly requestId: string | null
  readonly retryAfter: number | null
  readonly problems: ReadonlyArray<Problem>
  readonly rejected: ReadonlyArray<RejectedItem>
  constructor({ cause, code, message, problems = [], rejected = [], requestId, retryAfter = null, status }: About) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.problems = problems
    this.rejected = rejected
  }
}

/** The plan's limit is used up for a while that is known. */
export const isRateLimited = (error: unknown): error is ApiError & { readonly retryAfter: number } =>
  error instanceof ApiError && error.code === "rate_limit_exceeded" && error.retryAfter !== null

interface Body {
  readonly error_code?: string
  readonly message?: string
  readonly detail?: string | ReadonlyArray<Problem>
  readonly details?: { readonly rejected?: ReadonlyArray<RejectedItem> } | null
}

const secondsIn = (header: string | null): number | null =>
  header === null || !/^\d+$/.test(header) ? null : Number(header)

/** What a proxy answers, without a body of ours, while the server behind it starts again. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

const codeOf = ({ status }: Response, problems: ReadonlyArray<Problem>): string =>
  problems.length > 0 ? "validation_error" : AWAY.has(status) ? "service_unavailable" : "unexpected_answer"

/** The service gives a reason with every refusal. */
const ofProxy = (status: number): string =>
  status === 413
    ? "A proxy in front of the service refuses requests of this size (status 413)."
    : `A proxy in front of the service answered with status ${status}, and gave no reason.`

/** An answer that succeeds without being one of the service, such as a proxy's page to sign in. */
export const notOfService = ({ status }: Response, cause?: unknown): ApiError =>
  new ApiError({
    code: "unexpected_answer",
    message: "A proxy in front of the service answered in its place. Reload the page: it may ask you to sign in.",
    status,
    requestId: null,
    cause
  })

/** What a refusal says. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  const { detail, details, error_code, message }: Body = await response.json().catch(() => ({}))
  const problems = Array.isArray(detail) ? detail as ReadonlyArray<Problem> : []
  const sentence = message ?? (typeof detail === "string" ? detail : problems.map(({ msg }) => msg).join("; "))
  return new ApiError({
    code: error_code ?? codeOf(response, problems),
    message: sentence === "" ? ofProxy(response.status) : sentence,
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    retryAfter: secondsIn(response.headers.get("retry-after")),
    problems,
    rejected: details?.rejected ?? []
  })
}
