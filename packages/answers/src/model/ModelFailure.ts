/** Why a language model gave no answer, or not all of it. */
import { Data } from "effect"
import type * as AiError from "effect/ai/AiError"
import type * as Response from "effect/ai/Response"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"

type FailureReason =
  | "silent"
  | "endless"
  | "overloaded"
  | "unauthorized"
  | "rejected"
  | "unavailable"
  | "failed"
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
  endless: "did not end its reply in time",
  overloaded: "is overloaded",
  unauthorized: "does not accept the key",
  rejected: "rejected the request",
  unavailable: "is not available",
  failed: "reported an error",
  unreadable: "sent a reply that cannot be read",
  "cut off": "was cut off at the longest reply of its server",
  resting: "failed a moment ago and is left alone for a while",
  busy: "has too many questions to answer"
}

const REASONS: Readonly<Partial<Record<AiError.AiErrorReason["_tag"], FailureReason>>> = {
  RateLimitError: "overloaded",
  QuotaExhaustedError: "overloaded",
  AuthenticationError: "unauthorized",
  InvalidRequestError: "rejected",
  ContentPolicyError: "rejected",
  InvalidOutputError: "unreadable",
  InvalidResponseError: "failed"
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
const MAX_RETRY_AFTER = 600_000

/** They say nothing about another request, nor does a request that was not sent. */
const OF_ONE_REQUEST: ReadonlySet<FailureReason> = new Set(["rejected", "cut off", "resting"])

/** A server that failed at this request, as opposed to one that is down or overloaded. */
const failedAtRequest = ({ reason, status }: ModelFailure): boolean => reason === "failed" || status === 500

/** The server fails the next request as well, of any workspace, if it does not reply or falls silent. */
export const isOfServer = (failure: ModelFailure, hasBegun: boolean): boolean =>
  !OF_ONE_REQUEST.has(failure.reason) && !failedAtRequest(failure) && (!hasBegun || failure.reason === "silent")

/**
 * A reply that goes wrong may be due to a workspace's question or passages, so that it is no failure for other
 * workspaces.
 */
export const isOfReply = (failure: ModelFailure, hasBegun: boolean): boolean =>
  !OF_ONE_REQUEST.has(failure.reason) && !isOfServer(failure, hasBegun)

export const counted = ({ retryAfter }: ModelFailure): CircuitBreaker.Outcome =>
  CircuitBreaker.failure({ retryAfter: retryAfter === undefined ? undefined : Math.min(retryAfter, MAX_RETRY_AFTER) })
