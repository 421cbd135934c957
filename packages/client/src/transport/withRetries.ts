/**
 * Retries requests where that helps and is safe.
 *
 * After a 429 or a 503 nothing was done, so any request is sent again. After a lost connection, a lost answer, or a
 * gateway's 502 or 504, the outcome is unknown: requests that create something with an id from the server are not sent
 * again. Every other answer is final.
 */
import { Cause, Clock, Duration, Effect, Random, Result } from "effect"
import * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { LastResponse } from "./RequestContext.ts"
import { delayBefore, type Limits } from "../Policy.ts"

type Response = HttpClientResponse.HttpClientResponse
type Failure = HttpClientError.HttpClientError
type Send = Effect.Effect<Response, Failure>

/** No request but a question takes longer unless its caller expects it to. */
const A_MINUTE = 60_000

const REFUSED = new Set([429, 503])
const UNKNOWN = new Set([502, 504])

export const lost = (request: HttpClientRequest.HttpClientRequest, description: string, cause: unknown): Failure =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, description, cause })
  })

const isStream = (response: Response): boolean =>
  (response.headers["content-type"] ?? "").startsWith("text/event-stream")

/** An answer counts once its body is here; a body that breaks off is a lost connection. */
const whole = (request: HttpClientRequest.HttpClientRequest, response: Response): Send =>
  isStream(response)
    ? Effect.succeed(response)
    : response.arrayBuffer.pipe(
      Effect.as(response),
      Effect.mapError((error) => lost(request, "the answer broke off", error))
    )

const attempt = (request: HttpClientRequest.HttpClientRequest, send: Send, timeout: number): Send =>
  Effect.flatMap(send, (response) => whole(request, response)).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(lost(request, `no answer within ${timeout} ms`, new Cause.TimeoutError()))
    })
  )

/** The wait that an answer requests, in milliseconds. */
const retryAfterOf = (response: Response, now: number): number => {
  const header = response.headers["retry-after"]
  if (header === undefined) return 0
  const parsed = Headers.parseRetryAfter(header)
  return Result.isFailure(parsed) ? 0 : Duration.toMillis(Headers.retryAfterDelay(parsed.success, now))
}

const secondsOf = (millis: number): number => Math.ceil(millis / 1_000)

const record = Effect.fnUntraced(
  function*(lastResponse: LastResponse | null, response: Response, retryAfter: number) {
    if (lastResponse === null) return
    lastResponse.status = response.status
    lastResponse.url = response.request.url
    lastResponse.requestId = response.headers["x-request-id"] ?? null
    lastResponse.retryAfter = retryAfter === 0 ? null : secondsOf(retryAfter)
    lastResponse.refusal = response.status < 400 ? null : yield* Effect.orElseSucceed(response.json, () => null)
  }
)

interface Operation {
  /** Whether sending it twice may do it twice. */
  readonly creates: boolean
  /** Whether it may work for as long as the caller waits, so that silence does not mean that it is lost. */
  readonly isLong: boolean
}

type Outcome = Result.Result<Response, Failure>

/** What an attempt means for another one. */
interface Verdict {
  readonly mayRepeat: boolean
  /** Null without an answer. */
  readonly status: number | null
  /** Milliseconds; 0 if the answer requests none. */
  readonly retryAfter: number
}

const verdictOn = (outcome: Outcome, creates: boolean, now: number): Verdict => {
  if (Result.isFailure(outcome)) {
    const mayRepeat = !creates && outcome.failure.reason._tag === "TransportError"
    return { mayRepeat, status: null, retryAfter: 0 }
  }
  const { status } = outcome.success
  const mayRepeat = REFUSED.has(status) || !creates && UNKNOWN.has(status)
  return { mayRepeat, status, retryAfter: retryAfterOf(outcome.success, now) }
}

export const withRetries = Effect.fnUntraced(function*(
  request: HttpClientRequest.HttpClientRequest,
  send: Send,
  { creates, isLong }: Operation,
  limits: Limits,
  lastResponse: LastResponse | null
) {
  const end = (yield* Clock.currentTimeMillis) + limits.timeout
  let waited = 0

  for (let count = 1;; count++) {
    const left = end - (yield* Clock.currentTimeMillis)
    const isLast = isLong || creates || count >= limits.attempts
    const attemptTimeout = limits.attemptTimeout ?? (isLast ? limits.timeout : Math.max(A_MINUTE, limits.timeout / 2))
    const outcome = yield* Effect.result(attempt(request, send, Math.min(attemptTimeout, left)))
    const now = yield* Clock.currentTimeMillis
    const { mayRepeat, retryAfter, status } = verdictOn(outcome, creates, now)
    if (Result.isSuccess(outcome)) yield* record(lastResponse, outcome.success, retryAfter)
    const delay = delayBefore(limits, count, retryAfter, yield* Random.next)
    waited += delay
    const isTooLong = waited > limits.maximumWait || now + delay >= end
    if (!mayRepeat || count >= limits.attempts || isTooLong) return yield* Effect.fromResult(outcome)
    const seconds = retryAfter === 0 ? null : secondsOf(retryAfter)
    yield* Effect.sync(() => limits.onRetry({ attempt: count, delay, status, retryAfter: seconds }))
    yield* Effect.sleep(delay)
  }
})
