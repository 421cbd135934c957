/** The service as a function from `Request` to `Response`, for Hono, Deno, Bun and other fetch-style servers. */
import { Effect, type Layer, type Scope } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { sentId } from "../middleware/RequestId.ts"
import { closing } from "../response/Refusal.ts"
import { type App, mount, type Mounted, type MountOptions, type Services } from "./Mounted.ts"

type WebHandler = (request: Request) => Promise<Response>

/** The function of a running application. */
export const handlerOf = (app: App): Effect.Effect<WebHandler> =>
  Effect.map(Effect.context(), (context) => HttpEffect.toWebHandlerWith<never, Effect.Services<App>>(context)(app))

const refused = ({ headers: sent, method }: Request): Response => {
  const { body, headers, status } = closing(sentId(sent.get("x-request-id")))
  return new Response(method === "HEAD" ? null : body, { status, headers })
}

/** The function of a mounted application. */
export const mountedHandlerOf = (
  app: App,
  _: Scope.Scope,
  isStopped: () => boolean
): Effect.Effect<WebHandler> =>
  Effect.map(
    handlerOf(app),
    (handle): WebHandler => (request) => isStopped() ? Promise.resolve(refused(request)) : handle(request)
  )

export const webHandler = <E>(
  services: Layer.Layer<Services, E>,
  options: MountOptions
): Promise<Mounted<WebHandler>> => mount(services, options, mountedHandlerOf)
