/** One attempt: the JSON of a successful answer, or the error. */
import { Clock, Duration, Effect, Result, Stream } from "effect"
import * as Headers from "effect/http/Headers"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

export interface Failure {
  /** For the log: without key and texts. */
  readonly reason: string
  /** The `Retry-After` in milliseconds; null if a retry would fail in the same way. */
  readonly retryAfter: number | null
}

const retryAfterOf = (response: HttpClientResponse.HttpClientResponse, now: number): number => {
  const header = response.headers["retry-after"]
  const parsed = header === undefined ? null : Headers.parseRetryAfter(header)
  return parsed === null || Result.isFailure(parsed)
    ? 0
    : Duration.toMillis(Headers.retryAfterDelay(parsed.success, now))
}

const refusal = (response: HttpClientResponse.HttpClientResponse, now: number): Failure => ({
  reason: `it answered ${response.status}`,
  retryAfter: response.status === 429 || response.status >= 500 ? retryAfterOf(response, now) : null
})

/** Bytes; vectors of thousands of numbers for a whole batch take a tenth. */
const LARGEST = 64 * 1024 * 1024

const lost = (): Failure => ({ reason: "the connection was lost", retryAfter: 0 })

const jsonOf = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const pieces: Array<Uint8Array> = []
  let size = 0
  yield* Effect.mapError(
    Stream.runForEachWhile(response.stream, (piece) =>
      Effect.sync(() => {
        pieces.push(piece)
        return (size += piece.length) <= LARGEST
      })),
    lost
  )
  if (size > LARGEST) return yield* Effect.fail<Failure>({ reason: "its answer is too large", retryAfter: null })
  return yield* Effect.try({
    try: (): unknown => JSON.parse(Buffer.concat(pieces).toString()),
    catch: (): Failure => ({ reason: "its answer is no JSON", retryAfter: null })
  })
})

const attempt = Effect.fnUntraced(
  function*(client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) {
    const response = yield* Effect.mapError(client.execute(request), lost)
    if (response.status !== 200) return yield* Effect.fail(refusal(response, yield* Clock.currentTimeMillis))
    return yield* jsonOf(response)
  }
)

/** A lost connection and an answer that takes longer than `timeout` milliseconds may be tried again. */
export const requestJson = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  timeout: number
): Effect.Effect<unknown, Failure> =>
  Effect.timeoutOrElse(attempt(client, request), {
    duration: timeout,
    orElse: () => Effect.fail<Failure>({ reason: `no answer within ${timeout} ms`, retryAfter: 0 })
  })
