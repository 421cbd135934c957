/** The service as a function from `Request` to `Response`, for Hono, Deno, Bun and other fetch-style servers. */
import { Effect, type Layer } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { mount, type Mounted, type MountOptions, type Services } from "./Mounted.ts"

type WebHandler = (request: Request) => Promise<Response>

export const webHandler = <E>(
  services: Layer.Layer<Services, E>,
  options: MountOptions
): Promise<Mounted<WebHandler>> =>
  mount(services, options, (app) => Effect.sync((): WebHandler => HttpEffect.toWebHandler(app)))
