/**
 * Sends batches to a collector within bounds: a limit of concurrent batches, each with a deadline, and a pause after a
 * failed one. Other batches are dropped. The exporters consider every batch delivered; otherwise they would hold each
 * while the collector is silent.
 */
import { Clock, Context, Deferred, Duration, Effect, Fiber, Option, Schedule } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

/** Batches under way, of all signals. */
const MAX_CONCURRENT = 8

/** For one batch with all its attempts. */
const BATCH_TIMEOUT = Duration.seconds(5)

/** Nothing is sent for this long after a failed batch. */
const PAUSE = 10_000

/** The timeout of the final flush. */
const FLUSH_TIMEOUT = Duration.millis(900)

const retries = { times: 2, schedule: Schedule.spaced("1 second") } as const

/** Without the address, which may hold a password. */
const reasonOf = (error: Option.Option<HttpClientError.HttpClientError>): string => {
  if (Option.isNone(error)) return "no answer in time"
  const { reason } = error.value
  return reason._tag === "StatusCodeError" ? `status ${reason.response.status}` : "no connection"
}

const taken = (request: HttpClientRequest) => HttpClientResponse.fromWeb(request, new Response(null))

/** Telemetry uses the machine's clock, whatever clock a host gives to the service. */
const clock = Context.get(Context.empty(), Clock.Clock)

export const makeCollector = Effect.gen(function*() {
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.tap((response) => Effect.ignore(response.arrayBuffer)),
    HttpClient.filterStatusOk,
    HttpClient.retryTransient(retries)
  )
  const ended = yield* Deferred.make<void>()
  let underWay = 0
  let pausedUntil = 0
  let isFailing = false

  const failed = (error: Option.Option<HttpClientError.HttpClientError>) =>
    Effect.suspend(() => {
      pausedUntil = clock.currentTimeMillisUnsafe() + PAUSE
      if (isFailing) return Effect.void
      isFailing = true
      return Effect.logWarning("the collector of telemetry takes nothing").pipe(
        Effect.annotateLogs("reason", reasonOf(error))
      )
    })

  const sent = (request: HttpClientRequest) =>
    client.execute(request).pipe(
      Effect.timeoutOption(BATCH_TIMEOUT),
      Effect.matchEffect({
        onFailure: (error) => failed(Option.some(error)),
        onSuccess: Option.match({
          onNone: () => failed(Option.none()),
          onSome: () => Effect.sync(() => isFailing = false)
        })
      }),
      Effect.raceFirst(Deferred.await(ended)),
      Effect.ensuring(Effect.sync(() => underWay--))
    )

  /** Whether a batch would be sent now. */
  const isOpen = () =>
    underWay < MAX_CONCURRENT && clock.currentTimeMillisUnsafe() >= pausedUntil && !Deferred.isDoneUnsafe(ended)

  const bounded = HttpClient.make((request) =>
    Effect.suspend(() => {
      if (!isOpen()) return Effect.succeed(taken(request))
      underWay++
      return Effect.as(sent(request), taken(request))
    }).pipe(Effect.withTracerEnabled(false), Effect.provideService(Clock.Clock, clock))
  )

  /** Limits the end of the scope in which it is called; call it after all exporters have started. */
  const boundEnd = Effect.acquireRelease(
    Effect.void,
    () =>
      Deferred.succeed(ended, undefined).pipe(
        Effect.delay(FLUSH_TIMEOUT),
        Effect.provideService(Clock.Clock, clock),
        Effect.forkDetach,
        Effect.flatMap((timer) => Effect.sync(() => last = timer))
      )
  )
  let last: Fiber.Fiber<unknown> | undefined
  yield* Effect.addFinalizer(() => last === undefined ? Effect.void : Fiber.interrupt(last))
  return { client: bounded, clock, isOpen, boundEnd }
})
