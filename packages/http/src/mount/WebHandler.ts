/** The service as a function from `Request` to `Response`, for Hono, Deno, Bun and other fetch-style servers. */
import { Effect, type Layer } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { type App, mount, type Mounted, type MountOptions, type Services } from "./Mounted.ts"

type WebHandler = (request: Request) => Promise<Response>

/** The function of a running application. */
export const handlerOf = (app: App): Effect.Effect<WebHandler> =>
  Effect.map(Effect.context(), (context) => HttpEffect.toWebHandlerWith<never, Effect.Services<App>>(context)(app))

export const webHandler = <E>(
  services: Layer.Layer<Services, E>,
  options: MountOptions
): Promise<Mounted<WebHandler>> => mount(services, options, handlerOf)
