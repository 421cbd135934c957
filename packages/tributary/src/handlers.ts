/** The HTTP API of an open knowledge base, for a server of the host's own. */
import { AuthenticationFailed } from "@tributary/core/model/Error"
import type { Scope as KeyScope } from "@tributary/core/model/Scope"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Http from "@tributary/http/Http"
import { TrustedCallers } from "@tributary/http/middleware/Authorization"
import { type Context, Effect, Option, Redacted, Scope } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type { IncomingMessage, ServerResponse } from "node:http"

/** One of the host's users, and what they may do in which workspace. */
export interface HostCaller {
  readonly workspace: string
  /** How the host names the user; `created_by` and the audit log have it. */
  readonly user: string
  readonly scopes: ReadonlyArray<KeyScope>
}

export interface HandlerOptions {
  /** Where the host serves it, such as `https://example.org` or `https://example.org/knowledge`. */
  readonly baseUrl: string
  /** Switches the operator API on. At least 24 characters. */
  readonly adminToken?: string
  /** Whether `/metrics` exists. It does by default; anybody who reaches the routes may read it. */
  readonly metrics?: boolean
  /**
   * Who is behind a credential of the host's own, such as its access token, that comes as `Authorization: Bearer`.
   * Returns undefined at once for any other credential, such as an API key, and resolves to null for nobody: a 401.
   */
  readonly callers?: (credential: string) => Promise<HostCaller | null> | undefined
}

export type WebHandler = (request: Request) => Promise<Response>
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

type Services = Exclude<Effect.Services<ReturnType<typeof Http.app>>, Scope.Scope>

const nobody = (message?: string) => Effect.fail(new AuthenticationFailed(message === undefined ? {} : { message }))

/** The callers that the host vouches for, beside those that a layer of the host's has named. */
const vouching = (callers: NonNullable<HandlerOptions["callers"]>) =>
  Effect.gen(function*() {
    const workspaces = yield* Workspaces
    const others = yield* TrustedCallers
    return (credential: string) => {
      const found = callers(credential)
      if (found === undefined) return others(credential)
      return Effect.gen(function*() {
        const caller = yield* Effect.promise(() => found)
        if (caller === null) return yield* nobody()
        const workspace = yield* Effect.catchTag(
          workspaces.find(caller.workspace),
          "not_found",
          () => nobody("There is no workspace with this id.")
        )
        return { workspace, principal: { type: "user" as const, id: caller.user }, scopes: caller.scopes }
      })
    }
  })

const appOf = ({ adminToken, callers, ...options }: HandlerOptions, shutdown: Effect.Effect<void>) => {
  const app = Http.app({
    ...options,
    shutdown,
    adminToken: Option.map(Option.fromNullishOr(adminToken), Redacted.make)
  })
  return callers === undefined ? app : Effect.provideServiceEffect(app, TrustedCallers, vouching(callers))
}

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
