/** A service that answers as a test says, with the clock and the dice of the test. */
import { Clock, Effect, Fiber, Layer, Random, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { TestClock } from "effect/testing"
import type { Policy } from "../../src/Policy.ts"
import { TributaryClient } from "../../src/TributaryClient.ts"

export type Step = Response | "lost" | "silent" | "unsendable"

/** A client of a scripted service that repeats its last step, and the times of its requests. */
export const scripted = Effect.fnUntraced(function*(steps: ReadonlyArray<() => Step>, policy: Partial<Policy> = {}) {
  const moments: Array<number> = []
  const bodies: Array<unknown> = []
  const http = HttpClient.make((request) =>
    Effect.gen(function*() {
      moments.push(yield* Clock.currentTimeMillis)
      if (request.body._tag === "Uint8Array") bodies.push(JSON.parse(new TextDecoder().decode(request.body.body)))
      const step = steps[Math.min(moments.length, steps.length) - 1]!()
      if (step === "silent") return yield* Effect.never
      if (step === "lost") {
        return yield* new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
      }
      if (step === "unsendable") {
        return yield* new HttpClientError.HttpClientError({ reason: new HttpClientError.InvalidUrlError({ request }) })
      }
      return HttpClientResponse.fromWeb(request, step)
    })
  )
  const context = yield* Layer.build(
    TributaryClient.layer({ baseUrl: "http://service", apiKey: Redacted.make("key"), policy }).pipe(
      Layer.provide(Layer.succeed(HttpClient.HttpClient, http))
    )
  )
  const api = yield* Effect.provide(TributaryClient, context)
  return { api, moments, bodies, context }
})

/** Runs until all waits are over. The dice always fall on the same side. */
export const settled = <A, E>(call: Effect.Effect<A, E>, dice = 1) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(
      Effect.provideService(call, Random.Random, { nextDoubleUnsafe: () => dice, nextIntUnsafe: () => 0 })
    )
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })
