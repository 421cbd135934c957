/**
 * Counts requests until their responses are completely sent, so that the end of a service can wait for them, and cuts
 * off those for which it waits no longer.
 */
import { Cause, Deferred, Effect, type Fiber, Latch } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { requestId } from "../middleware/RequestId.ts"
import { closing } from "../response/Refusal.ts"

/** How long the answers to requests that are cut off may take to be sent. */
const FLUSH_TIMEOUT = "1 second"

const cutOff = Effect.map(HttpServerRequest, (request) => {
  const { body, headers, status } = closing(requestId(request))
  return HttpServerResponse.text(body, { status, headers, contentType: "application/json" })
})

export const openRequests = () => {
  const idle = Latch.makeUnsafe(true)
  const open = new Set<Fiber.Fiber<unknown, unknown>>()
  const stopped = Deferred.makeUnsafe<void>()
  let isCut = false

  const begin = Effect.withFiber((fiber) => {
    open.add(fiber)
    idle.closeUnsafe()
    return Effect.succeed(fiber)
  })
  const end = (fiber: Fiber.Fiber<unknown, unknown>) =>
    Effect.sync(() => {
      open.delete(fiber)
      if (open.size === 0) idle.openUnsafe()
    })

  return {
    /** The scope of a request closes when its response is completely sent. */
    counted: <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.andThen(
        Effect.acquireRelease(begin, end),
        Effect.catchCause(
          app,
          (cause) => isCut && Cause.hasInterruptsOnly(cause) ? cutOff : Effect.failCause(cause)
        )
      ),
    /** From now on, mounts refuse requests. */
    stop: Deferred.succeed(stopped, undefined),
    isStopped: () => Deferred.isDoneUnsafe(stopped),
    /** Waits for `stop`. */
    stopped: Deferred.await(stopped),
    /** Waits until no request is open. */
    idle: idle.await,
    /** Interrupts what is still open, and answers as after the end. Writes run to their end nevertheless. */
    cut: Effect.andThen(
      Effect.sync(() => {
        isCut = true
        for (const fiber of open) fiber.interruptUnsafe()
      }),
      Effect.timeoutOption(idle.await, FLUSH_TIMEOUT)
    )
  }
}
