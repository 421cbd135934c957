/** The service in a host's own server: built once, called per request, and disposed with the host. */
import { Effect, Exit, Layer, Scope } from "effect"
import type * as HttpServerError from "effect/http/HttpServerError"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { app, type Options } from "../Http.ts"
import { openRequests } from "./openRequests.ts"

/** The services of core that the routes need. */
export type Services = Exclude<Effect.Services<ReturnType<typeof app>>, Scope.Scope>

/** A host has no stop signal, so `dispose` is the signal. */
export type MountOptions = Omit<Options, "shutdown">

export interface Mounted<Handler> {
  readonly handler: Handler
  /**
   * Ends open event streams, lets other requests finish, and then releases the services. Requests that come after the
   * call get 503.
   */
  readonly dispose: () => Promise<void>
}

export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** How long running requests may delay the end. */
const DRAIN = "8 seconds"

/**
 * Builds the service; `handlerOf` turns it into what the host's server calls. Fails if the services cannot be built.
 */
export const mount = async <Handler, E>(
  services: Layer.Layer<Services, E>,
  options: MountOptions,
  handlerOf: (app: App, scope: Scope.Scope, isStopped: () => boolean) => Effect.Effect<Handler>
): Promise<Mounted<Handler>> => {
  const scope = Scope.makeUnsafe()
  const requests = openRequests()

  const build = Effect.gen(function*() {
    const context = yield* Layer.buildWithScope(services, scope)
    const routed = yield* Effect.provide(app({ ...options, shutdown: requests.stopped }), context)
    // Requests run with the clock, the loggers and the tracer that the services have.
    return yield* Effect.provide(handlerOf(requests.counted(routed), scope, requests.isStopped), context)
  }).pipe(Scope.provide(scope), Effect.onError(() => Scope.close(scope, Exit.void)))

  const stop = Effect.gen(function*() {
    yield* requests.stop
    yield* Effect.timeoutOption(requests.idle, DRAIN)
    yield* requests.cut
    yield* Scope.close(scope, Exit.void)
  })

  const handler = await Effect.runPromise(build)
  let disposed: Promise<void> | undefined
  return { handler, dispose: () => disposed ??= Effect.runPromise(stop) }
}
