/** Why a language model gave no answer, or not all of it. */
import { Data } from "effect"
import type * as AiError from "effect/ai/AiError"
import type * as Response from "effect/ai/Response"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"

export type FailureReason =
  | "silent"
  | "overloaded"
  | "unauthorized"
  | "rejected"
  | "unavailable"
  | "unreadable"
  | "cut off"
  | "resting"
  | "busy"

/** Carries neither prompt, reply nor key, so that it may be logged and shown. */
export class ModelFailure extends Data.TaggedError("ModelFailure")<{
  readonly reason: FailureReason
  readonly retryAfter?: number
  /** The HTTP status of a refusal. */
  readonly status?: number | undefined
}> {
  override get message(): string {
    return MEANINGS[this.reason] + (this.status === undefined ? "" : ` (status ${this.status})`)
  }
}

const MEANINGS: Readonly<Record<FailureReason, string>> = {
  silent: "did not answer in time",
  overloaded: "is overloaded",
  unauthorized: "does not accept the key",
  rejected: "rejected the request",
  unavailable: "is not available",
  unreadable: "sent a reply that cannot be read",
  "cut off": "was cut off at the longest reply of its server",
  resting: "failed a moment ago and is left alone for a while",
  busy: "has too many questions of this workspace to answer"
}

const REASONS: Readonly<Partial<Record<AiError.AiErrorReason["_tag"], FailureReason>>> = {
  RateLimitError: "overloaded",
  QuotaExhaustedError: "overloaded",
  AuthenticationError: "unauthorized",
  InvalidRequestError: "rejected",
  ContentPolicyError: "rejected",
  InvalidOutputError: "unreadable"
}

export const fromAiError = ({ reason }: AiError.AiError): ModelFailure =>
  new ModelFailure({
    reason: REASONS[reason._tag] ?? "unavailable",
    status: "http" in reason ? reason.http?.response?.status : undefined
  })

/** Null if the model ended its reply by itself. */
export const fromFinish = (reason: Response.FinishReason): ModelFailure | null =>
  reason === "length"
    ? new ModelFailure({ reason: "cut off" })
    : reason === "content-filter"
    ? new ModelFailure({ reason: "rejected" })
    : null

/** Milliseconds; a server may ask for hours, and be back in minutes. */
const LONGEST_REST = 600_000

/** They say nothing about the next request. */
const OF_ONE_REQUEST: ReadonlySet<FailureReason> = new Set(["rejected", "cut off"])

export const outcomeOf = (failure: ModelFailure): CircuitBreaker.Outcome =>
  OF_ONE_REQUEST.has(failure.reason)
    ? CircuitBreaker.ignored
    : CircuitBreaker.failure({
      retryAfter: failure.retryAfter === undefined ? undefined : Math.min(failure.retryAfter, LONGEST_REST)
    })
