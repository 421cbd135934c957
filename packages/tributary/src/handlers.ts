/** The HTTP API of an open knowledge base, for a server of the host's own. */
import * as Http from "@tributary/http/Http"
import { type Context, Effect, Option, Redacted, Scope } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { IncomingMessage, ServerResponse } from "node:http"

export interface HandlerOptions {
  /** Where the host serves it, such as `https://example.org` or `https://example.org/knowledge`. */
  readonly baseUrl: string
  /** Switches the operator API on. At least 24 characters. */
  readonly adminToken?: string
  /** Whether `/metrics` exists. It does by default; anybody who reaches the routes may read it. */
  readonly metrics?: boolean
}

export type WebHandler = (request: Request) => Promise<Response>
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

type Services = Exclude<Effect.Services<ReturnType<typeof Http.app>>, Scope.Scope>

const appOf = ({ adminToken, ...options }: HandlerOptions, shutdown: Effect.Effect<void>) =>
  Http.app({ ...options, shutdown, adminToken: Option.map(Option.fromNullishOr(adminToken), Redacted.make) })

/** Makes handlers over services that are open; event streams end when `shutdown` does, and all else with the scope. */
export const handlersOver = (context: Context.Context<Services>, scope: Scope.Scope, shutdown: Effect.Effect<void>) => {
  const build = (options: HandlerOptions) =>
    appOf(options, shutdown).pipe(Effect.provide(context), Scope.provide(scope))
  return {
    handler: async (options: HandlerOptions): Promise<WebHandler> =>
      HttpEffect.toWebHandler(await Effect.runPromise(build(options))),
    nodeHandler: async (options: HandlerOptions): Promise<NodeHandler> => {
      const { handlerOf } = await import("@tributary/http/NodeHandler")
      return Effect.runPromise(Effect.flatMap(build(options), (app) => handlerOf(app, scope)))
    }
  }
}
